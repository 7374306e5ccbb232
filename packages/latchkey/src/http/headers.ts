import { lastUseName } from "./cookies.ts";

/** Headers of a response, as values: `Set-Cookie` may appear several times. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** For every response that has read or set a session: no cache may store or share it. */
export const sessionCacheHeaders: HeaderList = [
  ["Cache-Control", "private, no-store"],
  ["Vary", "Cookie"],
];

/** For every other response of the auth routes. */
export const noStoreHeaders: HeaderList = [["Cache-Control", "no-store"]];

/** Whether HTTP can send a value: Latin-1 without control characters (RFC 9110, 5.5). */
export function isHeaderValue(value: string): boolean {
  return /^[\t -~\x80-\xff]*$/.test(value);
}

/** The headers of a response, whatever host it belongs to. `Headers` satisfies it. */
export interface ResponseHeaders {
  get(name: string): string | null;
  set(name: string, value: string): void;
  append(name: "Set-Cookie", value: string): void;
  delete(name: string): void;
  /** The `Set-Cookie` values, one by one. */
  getSetCookie(): readonly string[];
}

/**
 * Headers that shared caches prefer to `Cache-Control`. None of them may contradict it (RFC 9213).
 */
const targetedCacheHeaders = [
  "cdn-cache-control",
  "cloudflare-cdn-cache-control",
  "edge-control",
  "netlify-cdn-cache-control",
  "surrogate-control",
  "vercel-cdn-cache-control",
  "x-accel-expires",
  "expires",
];

/**
 * Adds headers to a response of the application. No other place does.
 * `Set-Cookie` is added unless the response already sets that cookie, or the session cookie beside
 * which it would be. `Vary` is joined, all others
 * replace the former value: a page marked cacheable by the app must not stay so with a session.
 */
export function addHeaders(present: ResponseHeaders, headers: HeaderList): void {
  const names = present.getSetCookie().map(cookieName);
  const own = [...names, ...names.map(lastUseName)];
  for (const [name, value] of headers) {
    if (name === "Set-Cookie") {
      if (!own.includes(cookieName(value))) present.append(name, value);
    } else if (name === "Vary") {
      present.set(name, joinVary(present.get(name), value));
    } else {
      present.set(name, value);
      if (name === "Cache-Control") for (const other of targetedCacheHeaders) present.delete(other);
    }
  }
}

/**
 * Returns a response with {@link addHeaders}: the same one, or a copy if its headers are immutable.
 * An application may return one response for every request, and some servers share one `Headers`
 * between responses. The next user must not get the headers of the former one. So the headers
 * before the change are kept, as a property and not in a `WeakMap`, for the reason of decision
 * 0025.
 *
 * @param place - of that property; one for each caller
 */
export function withHeaders(
  response: Response,
  headers: HeaderList,
  place: symbol = Symbol("headers before"),
): Response {
  const { headers: present } = response;
  const before: unknown = Reflect.get(response, place) ?? Reflect.get(present, place);
  if (before instanceof Headers) return copyWith(response.clone(), before, headers);
  if (headers.length === 0) return response;
  const copy = new Headers(present);
  try {
    addHeaders(present, headers);
  } catch {
    // The headers of what `fetch` or `Response.redirect` gave cannot be changed.
    return copyWith(response, copy, headers);
  }
  for (const each of [response, present]) Reflect.set(each, place, copy);
  return response;
}

function copyWith(
  { body, status, statusText }: Response,
  before: Headers,
  headers: HeaderList,
): Response {
  const copy = new Response(body, { status, statusText, headers: new Headers(before) });
  addHeaders(copy.headers, headers);
  return copy;
}

export function setCookiesIn(headers: HeaderList): readonly string[] {
  return headers.filter(([name]) => name === "Set-Cookie").map(([, value]) => value);
}

export function cookieHeaders(setCookies: readonly string[]): HeaderList {
  return setCookies.map((value) => ["Set-Cookie", value] as const);
}

export function cookieName(setCookie: string): string {
  return setCookie.slice(0, setCookie.indexOf("="));
}

function joinVary(present: string | null, added: string): string {
  if (present === null) return added;
  const names = present.split(",").map((name) => name.trim().toLowerCase());
  return names.includes("*") || names.includes(added.toLowerCase())
    ? present
    : `${present}, ${added}`;
}
