import type { Config } from "../config/config.ts";
import { isJSONObject, parseJSON } from "../crypto/json-object.ts";
import type { DeviceTrace } from "./device.ts";
import type { SessionHandle } from "./session-handle.ts";

/** What the provider says of a person. Always a `sub`; the rest depends on scope and provider. */
export interface Claims {
  readonly sub: string;
  readonly name?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly picture?: string;
  readonly sid?: string;
  readonly org_id?: string;
  readonly org_name?: string;
  readonly [claim: string]: unknown;
}

/** The claims that become `user`: all that the provider says of the person, less those about the token itself. */
export function identityOf(
  { identityClaimFilter }: Pick<Config, "identityClaimFilter">,
  claims: { readonly sub: string; readonly [claim: string]: unknown },
): Claims {
  const kept = Object.entries(claims).filter(([name]) => !identityClaimFilter.includes(name));
  return { ...Object.fromEntries(kept), sub: claims.sub };
}

/** An access token, as far as it is known. */
export interface HeldToken {
  readonly accessToken?: string;
  /** Space-separated. */
  readonly accessTokenScope?: string;
  /** Epoch seconds. */
  readonly accessTokenExpiresAt?: number;
}

/** Whether all of these scopes were granted. */
export function hasScopes({ accessTokenScope }: HeldToken, scopes: readonly string[]): boolean {
  const granted = typeof accessTokenScope === "string" ? accessTokenScope.split(" ") : [];
  return scopes.every((scope) => granted.includes(scope));
}

/** What a session holds: the payload of the cookie. Fields of the app's own are kept as they are. */
export interface SessionData extends HeldToken {
  /** The claims of the ID token, less the filtered ones. */
  readonly user: Claims;
  /** As the provider signed it; kept where `session.storeIDToken` is on. */
  readonly idToken?: string;
  /** Where the provider gave one: most do for the scope `offline_access`. */
  readonly refreshToken?: string;
  /** Access tokens for other resource servers, by the addresses of these (RFC 8707). */
  readonly resourceTokens?: Readonly<Record<string, HeldToken>>;
  /** The browser that signed in; kept where sessions live in a store, so that they can be listed. */
  readonly device?: DeviceTrace;
  readonly [own: string]: unknown;
}

/**
 * The protected header of a session: authenticated, and readable by whoever holds the cookie.
 *
 * `uat`, `iat` and `exp` are those of the specification, in epoch seconds. A type and no interface: so it passes for any header of a JWE.
 */
export type SessionHeader = {
  /** Last use. */
  readonly uat: number;
  /** Creation. */
  readonly iat: number;
  readonly exp: number;
  /** Names this session, so that its end can be remembered. */
  readonly id: string;
  /** When the sign-in was started (login, not callback), in epoch **milliseconds**. */
  readonly started?: number;
  /** When the provider issued the ID token, by its own clock: the `iat` of that. */
  readonly issued?: number | undefined;
  /** How long it took from `started` to `issued`, in milliseconds; absent where two instances saw them. */
  readonly took?: number | undefined;
  readonly issuer?: string;
  readonly client?: string;
  /** Stands for the `sub` of the ID token; see `userTag`. Whatever the app makes of `user`, this stays. */
  readonly subTag: string;
  /** Stands for the `sid` of the ID token, where it had one; see `providerSessionTag`. */
  readonly sidTag?: string;
  /** When the app changed the data last, in epoch **milliseconds**; absent for never. */
  readonly changed?: number;
  /** How often the tokens were refreshed; absent for never. */
  readonly generation?: number;
  /** The key of the ticket that brought the tokens, until they have come back from the browser. */
  readonly ticket?: string;
  /** Where it lies in the store: it is a session there and nowhere else, nor in a cookie. */
  readonly place?: string | undefined;
  /** When the person proved to the provider who they are (`auth_time` of the ID token), in epoch seconds. */
  readonly authTime?: number;
  /** How they did (`acr` of the ID token). */
  readonly acr?: string;
};

/** The header of a session as it was sealed: in a cookie that was made elsewhere it names neither session nor user. */
export type SealedHeader = Omit<SessionHeader, "id" | "subTag"> &
  Partial<Pick<SessionHeader, "id" | "subTag">>;

export interface StoredSession {
  readonly header: SessionHeader;
  readonly data: SessionData;
  /** Where it lives in the store; `null` where it lives in the cookie itself. */
  readonly record: SessionRecord | null;
  /** What it was opened from: data that are still the same are not made into JSON again (decision 0045). */
  readonly opened?: OpenedData;
}

/** Data, and the JSON text that they were read from. */
export interface OpenedData {
  readonly data: SessionData;
  readonly text: string;
}

/** A session's place in the store. */
export interface SessionRecord {
  readonly handle: SessionHandle;
  /** What lies there, as it was read or written last. */
  readonly sealed: string;
}

/** Why a session that the request carried has ended. */
export type EndReason = "idle" | "max-age" | "elsewhere" | "unreadable";

/** The two ends of a session and how it came to be; all in epoch seconds. */
export interface SessionTimes {
  /** When the sign-in was started, before the person went to the provider. */
  readonly startedAt: number;
  /** When the sign-in was finished. */
  readonly createdAt: number;
  /** When the session was last renewed. */
  readonly updatedAt: number;
  /** Ends then without further use; `null` where sessions do not roll. */
  readonly rollingEndsAt: number | null;
  /** Ends then in any case; `null` where there is no such limit. */
  readonly absoluteEndsAt: number | null;
  /** The earlier of the two, or the end that was written where today's settings would let it live longer. */
  readonly endsAt: number;
}

/** An active session, as an app sees it. */
export interface Session extends SessionData {
  readonly times: SessionTimes;
}

/** Names with a meaning in a JWT claim set: other readers of the cookie would act on them. */
const reservedNames: readonly string[] = ["iss", "sub", "aud", "exp", "nbf", "iat", "jti", "times"];

/**
 * What JSON keeps of what an app gives as a session, without the names that are not its to use: called once for each
 * write.
 *
 * @throws {TypeError} where it is no session: an app's change or hook has lost the user, or JSON does; and for what
 *   cannot be JSON
 */
export function storable(session: SessionData): SessionData {
  const kept = parseJSON(JSON.stringify(session));
  if (!isSessionData(kept)) throw new TypeError("A session needs a user with a sub.");
  const entries = Object.entries(kept).filter(([name]) => !reservedNames.includes(name));
  return Object.fromEntries(entries) as unknown as SessionData;
}

/** Whether a decrypted payload is a session: an object with a user that has a subject. */
export function isSessionData(value: unknown): value is SessionData {
  return (
    isJSONObject(value) && isJSONObject(value["user"]) && typeof value["user"]["sub"] === "string"
  );
}

/** Whether a decrypted header has the times that every session has. */
export function isSealedHeader(
  header: Readonly<Record<string, unknown>>,
): header is Readonly<Record<string, unknown>> & SealedHeader {
  const { uat, iat, exp, id, started, issued, took } = header;
  const { subTag, sidTag, changed, generation, ticket, place, authTime, acr } = header;
  const texts = [id, subTag, sidTag, ticket, place, acr];
  const numbers = [started, issued, took, changed, generation, authTime];
  return (
    [uat, iat, exp].every(isWholeNumber) &&
    texts.every((text) => text === undefined || typeof text === "string") &&
    numbers.every((each) => each === undefined || isWholeNumber(each))
  );
}

function isWholeNumber(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
