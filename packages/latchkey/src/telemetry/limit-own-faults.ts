import { rateLimit } from "../rate-limit.ts";
import type { Log } from "./log-event.ts";

const everyMs = 1000;

/**
 * Returns a log with at most one refusal a second for each fault of ours (5xx): while a store is
 * down, every request has one. The next event has the number of omitted ones.
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
