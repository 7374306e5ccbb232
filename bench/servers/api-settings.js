/** What an API expects of its access tokens. */
export const audience = "https://api.example.com";
export const issuer = process.env["LATCHKEY_ISSUER_BASE_URL"] ?? "";
export const algorithm = /** @type {"ES256" | "RS256"} */ (process.env["BENCH_ALGORITHM"]);
