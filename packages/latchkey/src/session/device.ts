/** What is remembered of the browser that signed in, so that its person can tell it from others. */
export interface DeviceTrace {
  /** The `User-Agent` header, at most {@link userAgentLimit} characters; empty where there was none. */
  readonly userAgent: string;
}

/** In characters. */
const userAgentLimit = 256;

/** What to remember of a browser. The header is whatever somebody sent: only shown, never believed. */
export function deviceTrace(userAgent: string | null): DeviceTrace {
  const printable = (userAgent ?? "").replace(/[\p{Cc}\p{Cf}]/gu, "");
  return { userAgent: printable.slice(0, userAgentLimit).trim() };
}

/** The `User-Agent` that is kept in a session; empty where none is. */
export function userAgentIn(device: unknown): string {
  if (typeof device !== "object" || device === null || !("userAgent" in device)) return "";
  return typeof device.userAgent === "string" ? device.userAgent : "";
}
