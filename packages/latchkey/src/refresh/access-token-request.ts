import type { ExchangeTarget } from "../oidc/token-exchange.ts";

/** What an access token must be good for; by default the token of the sign-in, as it is. */
export interface AccessTokenRequest {
  /** All of these must have been granted. */
  readonly scopes?: readonly string[];
  /** Refresh even though the token at hand is still good. */
  readonly refresh?: boolean;
  /**
   * The address of another resource server for the token (RFC 8707): it is requested with the
   * refresh token and `scopes`, and kept beside the token of the sign-in.
   */
  readonly resource?: string;
  /**
   * Another API that gets a token of its own in exchange for the token of the sign-in, or of a
   * caller without a session (RFC 8693). `createAuth` needs `tokenExchange` for it.
   */
  readonly exchange?: ExchangeTarget;
}
