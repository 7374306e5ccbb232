import { AccessError } from "../errors/access-errors.ts";
import { nameErrors } from "../errors/name-errors.ts";
import type { HeaderList } from "../http/headers.ts";

/** The code of a refusal for the client (RFC 6750, 3.1; RFC 9449, 7.1 and 9). */
export type TokenError =
  | "invalid_request"
  | "invalid_token"
  | "invalid_dpop_proof"
  | "use_dpop_nonce";

/** The credentials of a request do not count. The host answers it with a challenge. */
export class TokenRefused extends AccessError<"ERR_TOKEN_REFUSED"> {
  readonly error: TokenError;
  readonly status: 400 | 401;
  /** What was expected and what came, for the log; nothing of it goes to the client. */
  readonly detail: string | undefined;
  /** Headers of the response, beside the challenge. */
  readonly headers: HeaderList;

  /** @param description - for the client; nothing of the token or the request */
  constructor(error: TokenError, description: string, detail?: string, headers: HeaderList = []) {
    super("ERR_TOKEN_REFUSED", description);
    this.error = error;
    this.status = error === "invalid_request" ? 400 : 401;
    this.detail = detail;
    this.headers = headers;
  }
}

/** A handler wants to change a session, and the caller has none: it came with an access token. */
export class SessionRequired extends AccessError<"ERR_SESSION_REQUIRED"> {
  readonly status = 403;

  constructor(method: string) {
    super(
      "ERR_SESSION_REQUIRED",
      `${method}() needs a session, and this request came with an access token.`,
    );
  }
}

nameErrors({ TokenRefused, SessionRequired });

export function invalidToken(description: string, detail?: string): TokenRefused {
  return new TokenRefused("invalid_token", description, detail);
}
