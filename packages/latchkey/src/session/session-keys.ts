import type { SessionLifetime } from "../config/config.ts";
import type { SealingKeys } from "../config/sealed-names.ts";
import { nowSeconds } from "../config/runtime.ts";
import type { Observer, SessionKey } from "../telemetry/telemetry.ts";
import type { InForce } from "../crypto/in-force.ts";
import { type ContentKey, type KeyRing, keyRingInForce } from "../crypto/key-ring.ts";
import { markLife } from "./lifetime.ts";

/** The keys of sessions: those of the secrets in force. */
export interface SessionKeys extends SealingKeys {
  /** All that were used or may be. */
  list(): readonly SessionKey[];
}

export interface SessionKeysOptions {
  readonly secrets: InForce<readonly string[]>;
  readonly lifetime: SessionLifetime;
  readonly observer: Pick<Observer, "log" | "measure">;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /**
   * How many seals of one key are warned of: by default half of what a key of AES-GCM with random
   * initialization vectors is good for (NIST SP 800-38D, section 8.3).
   */
  readonly manySeals?: number;
}

function wornOut(id: string): string {
  return `The key ${id} has sealed two thousand million sessions here, half of what one key is good for: change LATCHKEY_SECRET.`;
}

export function createSessionKeys(options: SessionKeysOptions): SessionKeys {
  const plain = watchedKeys(options, "session");
  const named = watchedKeys(options, "named-session");
  return {
    plain: plain.ring,
    named: named.ring,
    list: () => [...plain.list(), ...(named.isUsed() ? named.list() : [])],
  };
}

/** The keys of one purpose, and their use. */
function watchedKeys(options: SessionKeysOptions, purpose: "session" | "named-session") {
  const { secrets, lifetime, manySeals = 2 ** 31 } = options;
  const { log, measure } = options.observer;

  const lastOpened = new Map<string, number>();
  function onOpened({ id }: ContentKey): void {
    lastOpened.set(id, nowSeconds(options));
    measure({ of: "key-open", key: id, position: id === ring().current.id ? "first" : "other" });
  }

  const sealed = new Map<string, number>();
  function onSealed({ id }: ContentKey): void {
    const count = (sealed.get(id) ?? 0) + 1;
    sealed.set(id, count);
    measure({ of: "key-seal", key: id });
    if (count === manySeals) log({ event: "warning", message: wornOut(id) });
  }

  function onExchanged(before: KeyRing, now: KeyRing): void {
    const since = nowSeconds(options) - markLife(lifetime);
    for (const { id } of before.all) {
      if (now.byId.has(id) || (lastOpened.get(id) ?? -Infinity) < since) continue;
      log({
        event: "warning",
        message: `The secret with the key ${id} was removed, but users still had sessions with this key. These users are signed out. Keep the old secret after the new one until all its sessions have ended.`,
      });
    }
  }

  const ring = keyRingInForce(secrets, purpose, { onOpened, onSealed, onExchanged });
  return {
    ring,
    isUsed: () => sealed.size + lastOpened.size > 0,
    list: () =>
      ring().all.map(({ id }, place) => ({
        id,
        seals: place === 0,
        lastOpened: lastOpened.get(id) ?? null,
        sealed: sealed.get(id) ?? 0,
      })),
  };
}
