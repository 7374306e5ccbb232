import { isJSONObject } from "../../crypto/json-object.ts";
import type { SessionContent } from "../seal.ts";
import type { Claims, HeldToken, SessionData } from "../session.ts";

/** What a refresh has brought. */
export interface RefreshResult {
  /** Of the session that has these tokens: how often it has been refreshed. */
  readonly generation: number;
  /** The members of a session that it replaces. An end that is not told anew is not known any more. */
  readonly tokens: HeldToken & { readonly refreshToken: string } & Pick<SessionData, "idToken">;
  /** The token that was asked for, where it is for another resource server; then that of the session stays. */
  readonly resourceToken?: HeldToken & { readonly resource: string };
  /** Claims of the new ID token, which replace those of the user one by one; `null` where none came. */
  readonly claims: Claims | null;
}

/**
 * A session with the result of a refresh in it.
 *
 * @param ticketKey of the spent token, where the browser has to bring the session back before that is forgotten
 */
export function withResult(
  { header, data }: SessionContent,
  { generation, tokens, resourceToken, claims }: RefreshResult,
  ticketKey?: string,
): SessionContent {
  const { accessTokenExpiresAt: _old, ...kept } = data;
  const { ticket: _former, ...rest } = header;
  return {
    header: { ...rest, generation, ...(ticketKey === undefined ? {} : { ticket: ticketKey }) },
    data: {
      ...kept,
      ...tokens,
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

/** Whether a text that was opened holds a result: another version of the engine may have sealed it. */
export function isRefreshResult(value: unknown): value is RefreshResult {
  if (!isJSONObject(value) || !("claims" in value)) return false;
  const { generation, tokens } = value;
  return Number.isSafeInteger(generation) && isJSONObject(tokens) && "refreshToken" in tokens;
}
