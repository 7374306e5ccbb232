import type { SessionContent } from "./seal.ts";
import type { Claims, HeldToken, SessionData } from "./session.ts";

/** What a refresh has brought. */
export interface RefreshResult {
  /**
   * The members of a session to replace. If the response has no end, it is unknown from then on.
   */
  readonly tokens: HeldToken & { readonly refreshToken: string } & Pick<SessionData, "idToken">;
  /**
   * The token for another resource server, if one was requested; then that of the sign-in stays.
   */
  readonly resourceToken?: HeldToken & { readonly resource: string };
  /** Claims of the new ID token, which replace those of the user one by one; `null` without one. */
  readonly claims: Claims | null;
  /** `session_expiry` of the new ID token, in epoch seconds; without it that of before stays. */
  readonly sessionExpiry?: number;
}

/** The key of a refresh token in a cookie: another provider may give the same text. */
export function refreshKey({ header }: SessionContent, refreshToken: string): string {
  return JSON.stringify([header.issuer, header.client, refreshToken]);
}

/** What this process knows of a refresh token in a cookie, once sent. */
export type CookieRefresh =
  /** A request sends it, until this time at the latest; monotonic milliseconds. */
  | { readonly state: "spending"; readonly until: number }
  | { readonly state: "done"; readonly result: RefreshResult }
  /** The provider refused it at this time; epoch milliseconds. */
  | { readonly state: "refused"; readonly since: number };

/** A session with the result of a refresh in it. */
export function withResult(
  { header, data }: SessionContent,
  { tokens, resourceToken, claims, sessionExpiry = header.sessionExpiry }: RefreshResult,
): SessionContent {
  const { accessTokenExpiresAt: _old, exchangedTokens, ...kept } = data;
  const isSame = tokens.accessToken === undefined || tokens.accessToken === data.accessToken;
  return {
    header: sessionExpiry === undefined ? header : { ...header, sessionExpiry },
    data: {
      ...kept,
      ...tokens,
      ...(isSame && exchangedTokens !== undefined ? { exchangedTokens } : {}),
      ...(resourceToken === undefined ? {} : { resourceTokens: withToken(data, resourceToken) }),
      user: { ...data.user, ...claims },
    },
  };
}

function withToken(
  { resourceTokens }: SessionData,
  { resource, ...token }: NonNullable<RefreshResult["resourceToken"]>,
): SessionData["resourceTokens"] & {} {
  return { ...resourceTokens, [resource]: token };
}
