import { identityId } from "../session/session-handle.ts";
import type { Principal } from "./principal.ts";

/** Whose account it is. `sub` alone is no key: every provider may give its users any. */
export interface Identity {
  /** The issuer of the user's ID token: for an issuer of many tenants that of the tenant. */
  readonly issuer: string;
  readonly sub: string;
  /** The id of the connection; `null` for an access token. */
  readonly connection: string | null;
  /**
   * A key for a database: the SHA-256 of `JSON.stringify([issuer, sub])`, base64url. It stays the
   * same with another client, secret, host or name of the connection, and differs with another
   * issuer.
   */
  readonly id: string;
}

/** Returns the identity of a caller; `null` for a token without a `sub`. */
export function identityOfPrincipal({
  issuer,
  claims,
  connection,
}: Pick<Principal, "issuer" | "claims" | "connection">): Identity | null {
  const { sub } = claims;
  if (typeof sub !== "string") return null;
  return { issuer, sub, connection, id: identityId(issuer, sub) };
}
