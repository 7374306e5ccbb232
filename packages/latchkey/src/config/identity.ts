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
