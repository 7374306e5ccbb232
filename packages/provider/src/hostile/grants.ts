import { randomBytes } from "node:crypto";

/** What a person granted at one sign-in. */
export interface Grant {
  /** Parameters of the authorization request. */
  readonly request: Readonly<Record<string, string>>;
  readonly sid: string;
  readonly authTime: number;
}

/** Issued codes, tokens and pushed requests, until their use. */
export interface Grants {
  readonly codes: Map<string, Grant>;
  readonly accessTokens: Map<string, Grant>;
  /** Refresh tokens; a used one stays, to detect its second use. */
  readonly refreshTokens: Map<string, { readonly grant: Grant; used: boolean }>;
  readonly pushed: Map<string, Readonly<Record<string, string>>>;
  /** Grants whose refresh token was used twice: all of their tokens are revoked. */
  readonly revoked: Set<Grant>;
}

export function emptyGrants(): Grants {
  return {
    codes: new Map(),
    accessTokens: new Map(),
    refreshTokens: new Map(),
    pushed: new Map(),
    revoked: new Set(),
  };
}

export function randomToken(): string {
  return randomBytes(24).toString("base64url");
}
