import type { IDTokenClaims } from "./id-token.ts";
import type { TokenResponse } from "../token-request.ts";

/** What a refresh has brought, verified. */
export interface RefreshedTokens extends TokenResponse {
  /** The claims of the new ID token; `null` where none came (OpenID Connect Core 12.2). */
  readonly claims: IDTokenClaims | null;
  /** Epoch seconds: a request that shares the tokens later must not think them younger. */
  readonly receivedAt: number;
}
