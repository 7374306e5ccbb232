/** Sessions of a library that the app has used before (decision 0136). */
import type { Cookies } from "../http/cookies.ts";
import type { SessionContent } from "./seal.ts";

export interface FormerSession {
  readonly content: SessionContent;
  /** The `Set-Cookie` values that remove its cookies. */
  readonly removed: readonly string[];
}

/** Returns the former session in the cookies of a request; `null` without one for this app. */
export type FormerSessionIn = (cookies: Cookies) => FormerSession | null;

/** The former session of one request, opened once at most. */
export type Former = () => FormerSession | null;

export function formerIn(cookies: Cookies, formerSessionIn: FormerSessionIn | null): Former {
  let former: FormerSession | null | undefined;
  return () => {
    if (former === undefined) former = formerSessionIn?.(cookies) ?? null;
    return former;
  };
}

/** Adds the removal of the former cookies to the cookies that are set in their place. */
export function withFormerRemoved(
  former: Former,
  setCookies: readonly string[],
): readonly string[] {
  const removed = former()?.removed ?? [];
  if (removed.length === 0) return setCookies;
  const set = new Set(setCookies.map(placeOf));
  return [...setCookies, ...removed.filter((line) => !set.has(placeOf(line)))];
}

/** What makes two cookies one (RFC 6265bis, 5.7): its name, domain and path, as we write them. */
function placeOf(setCookie: string): string {
  const [pair = "", ...attributes] = setCookie.split("; ");
  const place = attributes.filter((each) => /^(?:Domain|Path)=/.test(each));
  return [pair.slice(0, pair.indexOf("=")), ...place].join("; ");
}
