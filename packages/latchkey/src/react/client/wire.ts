import type { Claims } from "./claims.ts";
import { isElsewhere } from "./paths.ts";
import { RequestError } from "./request-error.ts";

/**
 * Why a session has ended: `idle` (not used for the rolling duration), `max-age` (the absolute
 * duration is over), `elsewhere` (ended on another device, by another app or by an administrator),
 * `unreadable` (the server cannot read its cookie), `unproved` (it is bound to a device, which the
 * browser did not prove).
 */
export type EndReason = "idle" | "max-age" | "elsewhere" | "unreadable" | "unproved";

/**
 * The times of a session as the server sends them, in epoch seconds of the server's clock;
 * `session.times` of the server fits as it is. `null`: the session has no such end.
 */
export interface WireTimes {
  /** When the session ends without further use of the app. */
  readonly rollingEndsAt: number | null;
  /** When the session ends in any case. */
  readonly absoluteEndsAt: number | null;
  /** The earlier of the two. */
  readonly endsAt: number | null;
  /** When the sign-in was finished. */
  readonly createdAt?: number;
  /** When the session was last renewed. */
  readonly updatedAt?: number;
}

/** Whose session it is, if the app has several connections. */
export interface Names {
  /** The id of the connection. */
  readonly connection?: string;
  /** How users know the connection. */
  readonly label?: string | undefined;
  readonly identity?: Identity | undefined;
}

/** Whose account it is. `sub` alone is no key: every provider may give its users any. */
export interface Identity {
  readonly issuer: string;
  readonly sub: string;
  readonly connection: string | null;
  /** A key for a database, of issuer and `sub`. */
  readonly id: string;
}

/**
 * The response of `GET /_auth/session.json`, which renews nothing. `now` is the server's clock in
 * epoch seconds.
 */
export type PeekResult =
  | ({ readonly state: "signed-in"; readonly now: number; readonly sub: string } & Names &
      WireTimes)
  | { readonly state: "signed-out"; readonly now: number }
  | { readonly state: "ended"; readonly reason: EndReason; readonly now: number };

/** A request without a response after this time counts as a network failure. */
const timeoutMs = 8_000;

/**
 * Gets a value of the expected form as JSON; `null` for a 204.
 *
 * @param warn - receives what a developer has to change, if our server did not respond
 * @throws {RequestError} For another form, another status, a redirect, or a timeout.
 */
export async function getJSON<T>(
  fetch: typeof globalThis.fetch,
  path: string,
  isExpected: (value: unknown) => value is T,
  warn: (advice: string) => void,
): Promise<T> {
  let status = 0;
  let options: ErrorOptions | undefined;
  try {
    const response = await fetch(path, {
      headers: { accept: "application/json" },
      cache: "no-store",
      credentials: "include",
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    });
    ({ status } = response);
    const isPage = response.headers.get("content-type")?.includes("html");
    if (status === 404 || isPage)
      warn(`${path} is ${isPage ? "a page" : "a 404"}. Let the dev server proxy it.`);
    const value: unknown = status === 200 ? await response.json() : status === 204 ? null : status;
    if (isExpected(value)) return value;
  } catch (cause) {
    // A script learns no other reason from a browser.
    if (status === 0 && isElsewhere(path))
      warn(`${path} gave no response. Does it allow this origin with credentials (CORS)?`);
    options = { cause };
  }
  throw new RequestError(
    `GET ${path} brought no usable response (status ${status}).`,
    status,
    options,
  );
}

/** Distinguishes our server's response from one of a proxy or captive portal; trusts the rest. */
export function isPeekResult(value: unknown): value is PeekResult {
  return isObject(value) && "state" in value && "now" in value;
}

/** Does the same for the claims of a user; `null`: no user is signed in. */
export function isClaimsOrNull(value: unknown): value is Claims | null {
  return value === null || (isObject(value) && "sub" in value);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
