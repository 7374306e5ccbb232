/** Whether a claim is a time in seconds since 1970, within 30,000 years (RFC 7519, section 2). */
export function isNumericDate(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value < 1e12;
}
