/** For tests of what holds with one base URL alone. */
export const isOneSite = process.env["LATCHKEY_TEST_SITES"] !== "2";

/**
 * Returns the base URLs of an app under test. With `LATCHKEY_TEST_SITES=2`, the address of the test
 * is the second of two sites, so that tests of one site prove what must hold at each.
 */
export function sitesOfTest(baseURL: string | readonly string[]): string | readonly string[] {
  if (isOneSite || typeof baseURL !== "string") return baseURL;
  return baseURL.startsWith("https:")
    ? ["https://primary.example", baseURL]
    : ["http://primary.localhost:4999", baseURL];
}
