import type { HostRequest } from "../http/auth-request.ts";
import { TokenRefused } from "./token-refused.ts";

/** What a request names its caller with (RFC 6750, 2.1; RFC 9449, 7.1). */
export interface Credentials {
  readonly scheme: "Bearer" | "DPoP";
  readonly token: string;
}

/** Longest header we look at, in characters. */
const longestHeader = 16 * 1024;

/** Whatever follows the name: `Bearer:` and a tab are malformed, and no other scheme. */
const ours = /^(bearer|dpop)(?![\w!#$%&'*+\-.^`|~])/i;
/** Several lines are one list to some hosts. */
const anotherOfOurs = /,\s*(?:bearer|dpop)(?:\s|$)/i;
const wellFormed = /^(?:bearer|dpop) +([\w\-.~+/]+=*) *$/i;

/**
 * Reads the access token of a request.
 *
 * @returns `null` without one: other schemes, such as `Basic`, leave all rules for sessions as they
 *   are
 * @throws {TokenRefused} `invalid_request`
 */
export function readCredentials({ headers }: Pick<HostRequest, "headers">): Credentials | null {
  const header = headers.get("authorization");
  if (header === null) return null;
  const [, scheme] = ours.exec(header) ?? [];
  if (scheme === undefined) {
    if (anotherOfOurs.test(header)) throw invalidRequest("There are several credentials.");
    return null;
  }
  if (header.length > longestHeader) throw invalidRequest("The access token is too long.");
  const [, token] = wellFormed.exec(header) ?? [];
  if (token === undefined) throw invalidRequest("The Authorization header is malformed.");
  return { scheme: scheme.toLowerCase() === "dpop" ? "DPoP" : "Bearer", token };
}

/** Refuses a token in the query, which ends up in logs and histories (RFC 9700, 4.3.2). */
export function refuseTokenInQuery(query: string): void {
  if (!new URLSearchParams(query).has("access_token")) return;
  throw invalidRequest("Send the access token in the Authorization header.");
}

function invalidRequest(description: string): TokenRefused {
  return new TokenRefused("invalid_request", description);
}
