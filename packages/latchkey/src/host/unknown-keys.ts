import type { Observer } from "../config/telemetry/telemetry.ts";
import { createRecentMap } from "../recent-map.ts";

export interface UnknownKeysOptions {
  /** Name of the session cookie. */
  readonly name: string;
  readonly observer: Pick<Observer, "log" | "measure">;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

const logAgainMs = 60_000;

/**
 * Tells of sessions that none of our keys sealed: once a minute for each key, since every request of
 * their browsers brings them again.
 */
export function logUnknownKeys({
  name,
  observer: { log, measure },
  clock,
}: UnknownKeysOptions): (keyId: string | undefined) => void {
  const told = createRecentMap<true>({ clock, keepMs: logAgainMs, atMost: 100 });
  return (keyId) => {
    // Whoever writes cookies by hand chooses the ids: they are no label.
    measure({ of: "key-open", key: "none", position: "unknown" });
    if (!told.add(keyId ?? "", true)) return;
    const detail = `none of the keys in LATCHKEY_SECRET sealed a session in the cookie ${name}: it is left alone. While a secret is changed, every instance needs the old and the new one; where several apps share a host, each needs its own LATCHKEY_SESSION_NAME`;
    log({ event: "unknown-key", keyId, detail });
  };
}
