/** Returns a claim if it is a non-empty string: a provider may send anything. */
export function textClaim(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
