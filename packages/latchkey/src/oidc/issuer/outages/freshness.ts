const shortestMs = 60_000;
const longestMs = 86_400_000;
const defaultMs = 600_000;

/**
 * Returns how long a document of the provider is fresh, in milliseconds: the time in the response
 * (RFC 9111, 4.2.1), between one minute and one day; ten minutes without one.
 */
export function freshForMs(headers: Headers): number {
  const maxAge = /(?:^|[\s,])max-age\s*=\s*"?(\d{1,15})/i.exec(headers.get("cache-control") ?? "");
  if (maxAge === null) return defaultMs;
  const age = /^\d{1,15}$/.exec(headers.get("age") ?? "0");
  const leftMs = (Number(maxAge[1]) - Number(age ?? 0)) * 1000;
  return Math.min(Math.max(leftMs, shortestMs), longestMs);
}
