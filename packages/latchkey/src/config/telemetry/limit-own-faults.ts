import { rateLimit } from "../../rate-limit.ts";
import type { Log } from "./log-event.ts";

const everyMs = 1000;

/**
 * A log that gets one refusal a second for each reason that is a fault of ours (5xx): while a store is down there is
 * one for every request. The next one says how many were left out.
 *
 * @param clock - in milliseconds
 */
export function limitOwnFaults(log: Log, clock: () => number): Log {
  const limit = rateLimit(clock, everyMs);
  return (event) => {
    if (event.event !== "refusal" || event.status < 500) return log(event);
    const suppressed = limit(event.reason);
    if (suppressed !== null) log(suppressed === 0 ? event : { ...event, suppressed });
  };
}
