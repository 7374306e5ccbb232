import type { Log } from "../../config/telemetry/log-event.ts";
import type { GuardedStore } from "../../stores/guard/guarded-store.ts";
import { rateLimit } from "../../rate-limit.ts";
import { isRecordKey } from "../session-handle.ts";

export interface UncheckedMarksOptions {
  readonly store: GuardedStore;
  readonly log: Log;
  /** Milliseconds. */
  readonly clock: () => number;
}

/** Nobody is let in unchecked for longer than this. */
const atMostMs = 300_000;
const alarmEveryMs = 60_000;

/**
 * The same store, but while it is down sessions in cookies are let in without their marks, for five minutes and with
 * an alarm each minute: whoever signed out elsewhere is let in, too. Sessions in the store stay refused.
 */
export function uncheckedMarks(options: UncheckedMarksOptions): GuardedStore {
  const { store, log, clock } = options;
  const alarm = rateLimit(clock, alarmEveryMs);

  async function get(keys: readonly string[]): Promise<readonly (string | null)[]> {
    try {
      return await store.get(keys);
    } catch (error) {
      const durationMs = Math.round(store.silentMs());
      if (durationMs > atMostMs || keys.some(isRecordKey)) throw error;
      const suppressed = alarm();
      if (suppressed !== null) log({ event: "marks-unchecked", durationMs, suppressed });
      return keys.map(() => null);
    }
  }

  return { ...store, get };
}
