import { parseCookie } from "cookie";

export { parseSetCookie } from "cookie";

/**
 * Returns the cookies of a request, by name. The first one of a name counts (RFC 6265bis, 5.8.3).
 */
export type Cookies = Readonly<Record<string, string | undefined>>;

/** How a cookie of ours is set; clearing uses the very same attributes. */
export interface CookieAttributes {
  readonly path: string;
  readonly domain?: string | undefined;
  readonly secure: boolean;
  readonly sameSite: "lax" | "strict" | "none";
}

/** Any request: `Request` satisfies it. */
interface RequestWithCookies {
  readonly headers: { readonly get: (name: string) => string | null };
}

const nothing: Cookies = Object.freeze(Object.create(null) as Record<string, undefined>);

export function parseCookies({ headers }: RequestWithCookies): Cookies {
  const header = headers.get("cookie");
  return header === null ? nothing : parseCookie(header);
}

/**
 * A `Set-Cookie` value; without `expires` (epoch seconds) the cookie ends with the browser.
 *
 * @param value - cookie octets (RFC 6265bis, 4.1.1), as base64url and dots are
 */
export function setCookie(
  name: string,
  value: string,
  attributes: CookieAttributes,
  expires?: number,
): string {
  return `${name}=${value}${attributesText(attributes, expires)}`;
}

/** What stands behind the value in a `Set-Cookie`, from the first semicolon on: chunks share it. */
function attributesText(
  { path, domain, secure, sameSite }: CookieAttributes,
  expires?: number,
): string {
  const host = domain === undefined ? "" : `; Domain=${domain}`;
  const end = expires === undefined ? "" : `; Expires=${new Date(expires * 1000).toUTCString()}`;
  const flags = secure ? "; HttpOnly; Secure" : "; HttpOnly";
  const site = `; SameSite=${sameSite[0]?.toUpperCase()}${sameSite.slice(1)}`;
  return `${host}; Path=${path}${end}${flags}${site}`;
}

/** Takes a cookie away, with the attributes it was set with. */
export function clearCookie(name: string, attributes: CookieAttributes): string {
  return setCookie(name, "", attributes, 0);
}

/** What a browser sends back of these cookies, in bytes; nothing of cleared ones. */
export function cookieBytes(setCookies: readonly string[]): number {
  return setCookies
    .map((line) => line.split(";", 1)[0] ?? "")
    .reduce((sum, pair) => sum + (pair.endsWith("=") ? 0 : pair.length + 2), 0);
}

/** The largest cookie in every browser: name, value and attributes together, in bytes. */
export const cookieLimit = 4096;

/**
 * The most cookies cleared by one response. Every browser keeps this many of a host, and few keep
 * more than three times as many (RFC 6265bis, 6.1). The next response clears the rest.
 */
export const clearedAtMost = 50;

/** A distant date of full length, so that measured attributes are never too short. */
const anyExpiry = 4_000_000_000;

/** A cookie of any length: one cookie `<name>`, or chunks of it in `<name>.0`, `<name>.1` … */
export interface ChunkedCookie {
  /**
   * Returns the `Set-Cookie` values for a value. Clears every other chunk of the request.
   *
   * @param expires - in epoch seconds; `undefined` for one that ends with the browser
   */
  write(value: string, expires: number | undefined, cookies: Cookies): readonly string[];
  /**
   * Clears the first {@link clearedAtMost} chunks of the request: without those no value is left.
   */
  clear(cookies: Cookies): readonly string[];
}

/** @param isTransient - whether it ends with the browser, whatever `expires` says */
export function createChunkedCookie(
  name: string,
  attributes: CookieAttributes,
  isTransient = false,
): ChunkedCookie {
  const behind = (expires?: number) =>
    attributesText(attributes, isTransient ? undefined : expires);
  const capacity = cookieLimit - `${name}.0=${behind(anyExpiry)}`.length;
  const clearAll = (names: readonly string[]) =>
    firstChunks(name, names).map((each) => clearCookie(each, attributes));
  return {
    write(value, expires, cookies) {
      const chunks = splitIntoChunks(name, value, capacity);
      const text = behind(expires);
      const written = chunks.map(([chunk, part]) => `${chunk}=${part}${text}`);
      const kept = new Set(chunks.map(([chunk]) => chunk));
      const stale = chunkNames(name, cookies).filter((present) => !kept.has(present));
      return [...written, ...clearAll(stale)];
    },
    clear: (cookies) => clearAll(chunkNames(name, cookies)),
  };
}

function splitIntoChunks(
  name: string,
  value: string,
  capacity: number,
): readonly (readonly [name: string, value: string])[] {
  if (value.length <= capacity) return [[name, value]];
  const chunks: [string, string][] = [];
  for (let start = 0; start < value.length;) {
    const chunkName = `${name}.${chunks.length}`;
    const room = capacity - (chunkName.length - name.length - 2);
    chunks.push([chunkName, value.slice(start, start + room)]);
    start += room;
  }
  return chunks;
}

/** Returns the possible values under a name: the plain cookie, and the joined chunks. */
export function joinChunks(name: string, cookies: Cookies): readonly string[] {
  const values: string[] = [];
  const plain = cookies[name];
  if (plain !== undefined && plain !== "") values.push(plain);
  const first = cookies[`${name}.0`];
  if (first !== undefined && first !== "") {
    let joined = first;
    for (let index = 1; ; index += 1) {
      const chunk = cookies[`${name}.${index}`];
      if (chunk === undefined || chunk === "") break;
      joined += chunk;
    }
    values.push(joined);
  }
  return values;
}

/**
 * Returns every cookie of the request for a name: `<name>`, and `<name>.<index>` with any index.
 */
function chunkNames(name: string, cookies: Cookies): readonly string[] {
  return Object.keys(cookies).filter((present) => present === name || isChunkOf(name, present));
}

/**
 * If there are too many chunks, returns those with the lowest numbers. Without its first chunk, a
 * value cannot be read.
 */
function firstChunks(name: string, names: readonly string[]): readonly string[] {
  if (names.length <= clearedAtMost) return names;
  const numberOf = (each: string) => Number(each.slice(name.length + 1) || -1);
  return names.toSorted((one, other) => numberOf(one) - numberOf(other)).slice(0, clearedAtMost);
}

function isChunkOf(name: string, candidate: string): boolean {
  if (!candidate.startsWith(`${name}.`)) return false;
  const index = candidate.slice(name.length + 1);
  return /^(?:0|[1-9]\d{0,3})$/.test(index);
}

/** The first chunks of a name, for a request that does not show the browser's chunks. */
export function unseenChunks(name: string, count: number): Cookies {
  const numbered = Array.from({ length: count }, (_, index) => `${name}.${index}`);
  return Object.fromEntries([name, ...numbered].map((each) => [each, ""]));
}

/** The name of the small cookie beside a session cookie (decision 0129): never one of a chunk. */
export function lastUseName(sessionCookie: string): string {
  return `${sessionCookie}.t`;
}
