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
  const answer = writable(response);
  const own = cookieNames(response);
  for (const [name, value] of headers) {
    if (name === "Set-Cookie") {
      if (!own.has(cookieName(value))) answer.headers.append(name, value);
    } else if (name === "Vary") {
      answer.headers.set(name, joinVary(answer.headers.get(name), value));
    } else {
      answer.headers.set(name, value);
    }
  }
  return answer;
}

/** Answers of `fetch` and of `Response.redirect` have immutable headers. */
function writable(response: Response): Response {
  try {
    response.headers.delete("X-Latchkey-Probe");
    return response;
  } catch {
    return new Response(response.body, response);
  }
}

function cookieNames(response: Response): ReadonlySet<string> {
  return new Set(response.headers.getSetCookie().map(cookieName));
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
