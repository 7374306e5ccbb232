/** Seconds. Whatever the provider asks for, after this long it is tried again. */
const longestWait = 120;

/**
 * The seconds for which a response asks to wait (RFC 9110, 10.2.3); `undefined` where it asks for
 * none. A date is compared with the clock of whoever sent it, where the response tells that.
 *
 * @param now epoch milliseconds
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
