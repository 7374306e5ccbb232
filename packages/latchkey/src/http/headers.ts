/** Headers that an answer must carry, as values: `Set-Cookie` may appear several times. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** For every answer that has read or set a session: no cache may keep it or share it. */
export const sessionCacheHeaders: HeaderList = [
  ["Cache-Control", "private, no-store"],
  ["Vary", "Cookie"],
];

/** For every other answer of the auth routes. */
export const noStoreHeaders: HeaderList = [["Cache-Control", "no-store"]];

/**
 * The one place where headers are put on a response.
 *
 * `Set-Cookie` is added unless the response already sets that cookie itself, `Vary` is joined, all others
 * replace what was there: a page marked cacheable by the app must not stay so when it carries a session.
 */
export function withHeaders(response: Response, headers: HeaderList): Response {
  if (headers.length === 0) return response;
  try {
    putHeaders(response.headers, headers);
    return response;
  } catch {
    // The headers of what `fetch` or `Response.redirect` gave cannot be changed.
    const copy = new Response(response.body, response);
    putHeaders(copy.headers, headers);
    return copy;
  }
}

function putHeaders(present: Headers, headers: HeaderList): void {
  const own = present.has("set-cookie") ? cookieNames(present) : nothing;
  for (const [name, value] of headers) {
    if (name === "Set-Cookie") {
      if (!own.has(cookieName(value))) present.append(name, value);
    } else if (name === "Vary") {
      present.set(name, joinVary(present.get(name), value));
    } else {
      present.set(name, value);
    }
  }
}

const nothing: ReadonlySet<string> = new Set();

/** `Set-Cookie` values as headers. */
export function cookieHeaders(setCookies: readonly string[]): HeaderList {
  return setCookies.map((value) => ["Set-Cookie", value] as const);
}

function cookieNames(headers: Headers): ReadonlySet<string> {
  return new Set(headers.getSetCookie().map(cookieName));
}

function cookieName(setCookie: string): string {
  return setCookie.slice(0, setCookie.indexOf("="));
}

function joinVary(present: string | null, added: string): string {
  if (present === null) return added;
  const names = present.split(",").map((name) => name.trim().toLowerCase());
  return names.includes("*") || names.includes(added.toLowerCase())
    ? present
    : `${present}, ${added}`;
}
