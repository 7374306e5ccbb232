import type { SealedNames } from "../config/sealed-names.ts";
import { isJSONObject, parseJSON } from "../crypto/json-object.ts";
import type { DeviceTrace } from "./device-trace.ts";
import type { Claims } from "./claims.ts";
import type { SessionHandle } from "./session-handle.ts";

export type { Claims } from "./claims.ts";

/** An access token, as far as it is known. */
export interface HeldToken {
  readonly accessToken?: string;
  /** Space-separated. */
  readonly accessTokenScope?: string;
  /** Epoch seconds. */
  readonly accessTokenExpiresAt?: number;
}

/**
 * Returns when a token ends, in epoch seconds; `Infinity` if that is unknown: then it is good until
 * its API refuses it.
 */
export function endOfToken({ accessTokenExpiresAt }: HeldToken): number {
  return typeof accessTokenExpiresAt === "number" ? accessTokenExpiresAt : Infinity;
}

/** Returns the granted scopes. */
export function scopesOf({ accessTokenScope }: HeldToken): readonly string[] {
  return typeof accessTokenScope === "string"
    ? accessTokenScope.split(" ").filter((scope) => scope !== "")
    : [];
}

export function hasScopes(token: HeldToken, scopes: readonly string[]): boolean {
  const granted = scopesOf(token);
  return scopes.every((scope) => granted.includes(scope));
}

/**
 * What a session holds: the payload of the cookie. Fields of the app's own are kept as they are.
 */
export interface SessionData extends HeldToken {
  /** The claims of the ID token, less the filtered ones. */
  readonly user: Claims;
  /** As the provider signed it; kept if `session.storeIDToken` is on. */
  readonly idToken?: string;
  /** If the provider gave one: most do for the scope `offline_access`. */
  readonly refreshToken?: string;
  /** Access tokens for other resource servers, by the addresses of these (RFC 8707). */
  readonly resourceTokens?: Readonly<Record<string, HeldToken>>;
  /** Tokens for other APIs that the access token was exchanged for; a new one drops them. */
  readonly exchangedTokens?: Readonly<Record<string, HeldToken>>;
  /** The browser of the sign-in; kept if sessions live in a store, for the list of them. */
  readonly device?: DeviceTrace;
  readonly [own: string]: unknown;
}

/**
 * The protected header of a session: authenticated, and readable by every holder of the cookie.
 *
 * `uat`, `iat` and `exp` are those of the specification, in epoch seconds. A type and no interface,
 * to pass for any header of a JWE.
 */
export type SessionHeader = SignInHeader &
  SealedNames & {
    /** Last use. */
    readonly uat: number;
    /** Creation. */
    readonly iat: number;
    readonly exp: number;
    /** Names this session in the list of ended ones. */
    readonly id: string;
    /** Stands for the `sub` of the ID token, whatever the app makes of `user`; see `userTag`. */
    readonly subTag: string;
    /** For whom the ID token of its sign-in was. */
    readonly issuer: string;
    readonly client: string;
    /** Stands for the `sid` of the ID token, if it had one; see `providerSessionTag`. */
    readonly sidTag?: string;
    /**
     * When the app or a refresh changed the data last, in epoch **milliseconds**; absent for never.
     */
    readonly changed?: number;
    /** Id of the key that sealed it; absent before, and in a cookie made elsewhere. */
    readonly kid?: string;
    /** Thumbprint (RFC 7638) of the key of its device, if it is bound to one. */
    readonly deviceKey?: string;
    /** Since when it is bound, in epoch seconds. */
    readonly deviceSince?: number;
  };

/** What is remembered of a sign-in. */
export type SignInHeader = {
  /** When it began (login, not callback), by the clock of the instance; epoch **milliseconds**. */
  readonly started?: number;
  /** The same by the provider's clock, in epoch seconds. */
  readonly issued?: number | undefined;
  /**
   * When the user authenticated at the provider (`auth_time` of the ID token), in epoch seconds.
   */
  readonly authTime?: number;
  /** How the user authenticated (`acr` of the ID token). */
  readonly acr?: string;
  /**
   * Whether the sign-in was for a shared computer: the session ends with the browser, and after a
   * short time without use.
   */
  readonly shared?: true;
  /** When the provider ends its session (`session_expiry` of the ID token), in epoch seconds. */
  readonly sessionExpiry?: number;
};

/** The header as it was sealed. In a cookie made elsewhere it names no session, user or client. */
export type SealedHeader = Omit<SessionHeader, MissingElsewhere> &
  Partial<Pick<SessionHeader, MissingElsewhere>> & {
    /** Its place in the store: it opens nowhere else, nor in a cookie. */
    readonly place?: string | undefined;
  };

type MissingElsewhere = "id" | "subTag" | "issuer" | "client";

export interface StoredSession {
  readonly header: SessionHeader;
  readonly data: SessionData;
  /** Its place in the store; `null` for a session in the cookie itself. */
  readonly record: SessionRecord | null;
  /** The times that were sealed, if the header has newer ones from the small cookie. */
  readonly sealedTimes?: Pick<SessionHeader, "uat" | "exp">;
  /** What it was opened from: unchanged data are not made into JSON again (decision 0045). */
  readonly opened?: OpenedData;
}

/** Data, and the JSON text they were read from. */
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

/**
 * Why the session of a request has ended; `unproved`: it is bound to a device, and the request has
 * no proof of it, so it does not count.
 */
export type EndReason = "idle" | "max-age" | "elsewhere" | "unreadable" | "unproved";

/** The two ends of a session and how it came to be; all in epoch seconds. */
export interface SessionTimes {
  /** When the sign-in was started, before the person went to the provider. */
  readonly startedAt: number;
  /** When the sign-in was finished. */
  readonly createdAt: number;
  /** When the session was last renewed. */
  readonly updatedAt: number;
  /** Ends then without further use; `null` if sessions do not roll. */
  readonly rollingEndsAt: number | null;
  /** Ends then in any case, by the settings or by the provider; `null` without such a limit. */
  readonly absoluteEndsAt: number | null;
  /** The earlier of the two, or the written end if today's settings are longer. */
  readonly endsAt: number;
  /** Whether it also ends with the browser, as it was made for a shared computer. */
  readonly shared?: true;
}

/** An active session, as an app sees it. */
export interface Session extends SessionData {
  readonly times: SessionTimes;
}

/** Names with a meaning in a JWT claim set: other readers of the cookie would act on them. */
const reservedNames: readonly string[] = ["iss", "sub", "aud", "exp", "nbf", "iat", "jti", "times"];

/**
 * What JSON keeps of the session of an app, without reserved names. Called once for each write.
 *
 * @throws {TypeError} if it is no session, because a change, a hook or JSON has lost the user, or
 *   if it cannot be JSON
 */
export function storable(session: SessionData): SessionData {
  const kept = parseJSON(JSON.stringify(session));
  if (!isSessionData(kept)) throw new TypeError("A session needs a user with a sub.");
  const entries = Object.entries(kept).filter(([name]) => !reservedNames.includes(name));
  return Object.fromEntries(entries) as unknown as SessionData;
}

/** Whether a decrypted payload is a session: an object with a user and its subject. */
export function isSessionData(value: unknown): value is SessionData {
  return (
    isJSONObject(value) && isJSONObject(value["user"]) && typeof value["user"]["sub"] === "string"
  );
}

/** Whether a decrypted header has the times of a session. */
export function isSealedHeader(
  header: Readonly<Record<string, unknown>>,
): header is Readonly<Record<string, unknown>> & SealedHeader {
  const { uat, iat, exp, id, started, issued } = header;
  const { subTag, sidTag, changed, place, authTime, acr, shared, kid, sessionExpiry } = header;
  const { deviceKey, deviceSince, issuer, client, connection, origin } = header;
  const names = [id, subTag, sidTag, issuer, client, connection, origin];
  const texts = [...names, place, acr, kid, deviceKey];
  const numbers = [started, issued, changed, authTime, sessionExpiry, deviceSince];
  return (
    [uat, iat, exp].every(isWholeNumber) &&
    (shared === undefined || shared === true) &&
    texts.every((text) => text === undefined || typeof text === "string") &&
    numbers.every((each) => each === undefined || isWholeNumber(each))
  );
}

function isWholeNumber(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
