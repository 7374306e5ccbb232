import type { Config } from "../config/config.ts";
import type { Log } from "../config/log-event.ts";
import type { ContentKey } from "../crypto/jwe.ts";
import { type KeyRing, keyRingInForce } from "../crypto/key-ring.ts";

/** A key of sessions. Its id names it in cookies and logs and tells nothing of it. */
export interface SessionKey {
  readonly id: string;
  /** Whether it seals; the others only open. */
  readonly seals: boolean;
  /** When it last opened a session here, in epoch seconds; `null` where it has not since the start. */
  readonly lastOpened: number | null;
}

/** The keys of sessions: those of the secrets in force. */
export interface SessionKeys {
  ring(): KeyRing;
  list(): readonly SessionKey[];
}

export interface SessionKeysOptions {
  readonly config: Config;
  readonly log: Log;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

export function createSessionKeys({ config, log, clock }: SessionKeysOptions): SessionKeys {
  const lastOpened = new Map<string, number>();
  const onOpened = ({ id }: ContentKey) => void lastOpened.set(id, Math.floor(clock() / 1000));
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
