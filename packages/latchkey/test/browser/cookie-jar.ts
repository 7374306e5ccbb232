import { parseSetCookie } from "cookie";

/** The cookies of a browser, by name. */
export type Jar = Readonly<Record<string, string>>;

/** The `Cookie` header of a browser with these cookies. */
export function cookieHeader(jar: Jar): string {
  return Object.entries(jar)
    .map((pair) => pair.join("="))
    .join("; ");
}

/** The cookies of such a header. */
export function jarOf(header: string): Jar {
  return Object.fromEntries(
    [...header.matchAll(/([^\s=;]+)=([^;]*)/g)].map((pair) => pair.slice(1)),
  );
}

/** A browser's cookies after a response, as the engine reads them from a request. */
export function jarAfter(
  setCookies: readonly string[],
  before: Readonly<Record<string, string | undefined>> = {},
): Record<string, string> {
  const jar = new Map(Object.entries(before));
  for (const line of setCookies) {
    const { name, value = "", expires, maxAge } = parseSetCookie(line);
    const isGone = maxAge === 0 || (expires !== undefined && expires.getTime() <= 0);
    if (isGone) jar.delete(name);
    else jar.set(name, value);
  }
  return Object.fromEntries(
    [...jar].filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

export function namesIn(setCookies: readonly string[]): { set: string[]; cleared: string[] } {
  const isClearing = (line: string) => line.includes("Expires=Thu, 01 Jan 1970 00:00:00 GMT");
  const nameOf = (line: string) => line.slice(0, line.indexOf("="));
  return {
    set: setCookies.filter((line) => !isClearing(line)).map(nameOf),
    cleared: setCookies.filter(isClearing).map(nameOf),
  };
}
