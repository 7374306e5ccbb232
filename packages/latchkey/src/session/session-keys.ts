import type { Config } from "../config/config.ts";
import type { Observer, SessionKey } from "../config/telemetry.ts";
import type { ContentKey } from "../crypto/jwe.ts";
import { type KeyRing, keyRingInForce } from "../crypto/key-ring.ts";

/** The keys of sessions: those of the secrets in force. */
export interface SessionKeys {
  ring(): KeyRing;
  list(): readonly SessionKey[];
}

export interface SessionKeysOptions {
  readonly config: Config;
  readonly observer: Pick<Observer, "log" | "measure">;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

export function createSessionKeys({ config, observer, clock }: SessionKeysOptions): SessionKeys {
  const { log, measure } = observer;
  const lastOpened = new Map<string, number>();
  function onOpened({ id }: ContentKey): void {
    lastOpened.set(id, Math.floor(clock() / 1000));
    measure({ of: "key-open", key: id, position: id === ring().current.id ? "first" : "other" });
  }
  const ring = keyRingInForce(config, "session", onOpened);

  function warnOfDropped(before: KeyRing, now: KeyRing): void {
    const { rolling, absolute } = config.session.lifetime;
    const since = Math.floor(clock() / 1000) - (rolling ?? absolute ?? Infinity);
    for (const { id } of before.all) {
      if (now.byId.has(id) || (lastOpened.get(id) ?? -Infinity) < since) continue;
      log({
        event: "warning",
        message: `The secret with the key ${id} was taken away, but sessions that it has sealed were used lately: those people are signed out. Keep it behind the new one for as long as sessions may live.`,
      });
    }
  }

  let known: KeyRing | undefined;
  function current(): KeyRing {
    const now = ring();
    if (known !== now) {
      if (known !== undefined) warnOfDropped(known, now);
      known = now;
    }
    return now;
  }

  return {
    ring: current,
    list: () =>
      current().all.map(({ id }, place) => ({
        id,
        seals: place === 0,
        lastOpened: lastOpened.get(id) ?? null,
      })),
  };
}
