import { rateLimit } from "../time/rate-limit.ts";
import type { Log, LogEvent } from "./log-event.ts";

const everyMs = 1000;

/**
 * Returns a log with at most one event a second for each fault of ours (a refusal with 5xx), and
 * for each reason of a failed refresh: while a store or a provider is down, every request has one.
 * Each connection has its own limit, so that one whose provider is down hides nothing of another.
 * The next event has the number of omitted ones.
 *
 * @param clock - in milliseconds
 */
export function limitOwnFaults(log: Log, clock: () => number): Log {
  const limit = rateLimit(clock, everyMs);
  return (event) => {
    if (!isRepeated(event)) return log(event);
    const suppressed = limit([event.event, event.reason, event.connection].join(" "));
    if (suppressed !== null) log(suppressed === 0 ? event : { ...event, suppressed });
  };
}

function isRepeated(event: LogEvent): event is Extract<LogEvent, { event: "refusal" | "refresh" }> {
  if (event.event === "refusal") return event.status >= 500;
  return event.event === "refresh" && event.reason !== undefined;
}
