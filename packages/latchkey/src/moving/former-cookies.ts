import type { Cookies } from "../http/cookies.ts";

/** A cookie of a library, which may be cut into chunks with numbers. */
export interface FormerName {
  readonly name: string;
  /** What stands between the name and the number of a chunk. */
  readonly chunks: string;
}

/** What a request carries under such a name. */
export interface CarriedCookie {
  /** Possible values: the plain cookie, and the joined chunks. */
  readonly values: readonly string[];
  readonly names: readonly string[];
}

/** Returns what a request carries; `null` if it has no such cookie. */
export function carriedCookie(
  { name, chunks }: FormerName,
  cookies: Cookies,
): CarriedCookie | null {
  const names = Object.keys(cookies).filter(
    (each) => each === name || isChunk(each, name + chunks),
  );
  if (names.length === 0) return null;
  const joined: string[] = [];
  for (let part = cookies[`${name}${chunks}0`]; part;) {
    joined.push(part);
    part = cookies[`${name}${chunks}${joined.length}`];
  }
  const values = [cookies[name] ?? "", joined.join("")].filter((each) => each !== "");
  return { values, names };
}

function isChunk(candidate: string, before: string): boolean {
  return candidate.startsWith(before) && /^(?:0|[1-9]\d?)$/.test(candidate.slice(before.length));
}
