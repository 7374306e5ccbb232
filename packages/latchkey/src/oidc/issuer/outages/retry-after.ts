/** The longest wait in seconds, whatever the provider demands. */
const longestWait = 120;

/**
 * Returns the seconds in `Retry-After` (RFC 9110, 10.2.3); `undefined` without one. A date is
 * compared with the `Date` of the response, if it has one.
 *
 * @param now - epoch milliseconds
 */
export function retryAfterSeconds(headers: Headers, now: number): number | undefined {
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d{1,15}$/.test(value)) return Math.min(Number(value), longestWait);
  const until = Date.parse(value);
  if (Number.isNaN(until)) return undefined;
  const sentAt = Date.parse(headers.get("date") ?? "");
  const seconds = Math.ceil((until - (Number.isNaN(sentAt) ? now : sentAt)) / 1000);
  return Math.min(Math.max(seconds, 0), longestWait);
}
