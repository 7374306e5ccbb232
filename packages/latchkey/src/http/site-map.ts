import { type Authority, parseAuthority } from "./authority.ts";

/** Finds base URLs by the host of a request, without a scan of the list. */
export interface SiteMap {
  /**
   * Returns the base URL of a host; `null` if the list has none for it.
   *
   * @param authority - as the request names it, with or without a port
   */
  baseURLAt(authority: string): string | null;
}

/** A base URL whose first label begins with a star. */
interface Pattern {
  readonly baseURL: string;
  /** What follows the star in its label. */
  readonly ending: string;
}

/** One label of a host name, without its escapes for other alphabets. */
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** @param baseURLs - valid, some with a star as their first label or at its beginning */
export function createSiteMap(baseURLs: readonly string[]): SiteMap {
  const exact = new Map<string, string>();
  const patterns = new Map<string, Pattern[]>();
  for (const baseURL of baseURLs) {
    const { hostname, port, protocol } = new URL(baseURL);
    const usualPort = protocol === "https:" ? "443" : "80";
    const ports = port === "" ? ["", usualPort] : [port];
    for (const name of ports.map((each) => keyOf({ hostname, port: each }))) {
      const [ending, rest] = splitFirstLabel(name.slice(1));
      if (name.startsWith("*"))
        patterns.set(rest, [...(patterns.get(rest) ?? []), { baseURL, ending }]);
      else exact.set(name, baseURL);
    }
  }

  function matching(key: string): string | null {
    const [first, rest] = splitFirstLabel(key);
    const pattern = patterns
      .get(rest)
      ?.find(({ ending }) => first.length > ending.length && first.endsWith(ending));
    if (pattern === undefined || !label.test(first)) return null;
    const star = first.slice(0, first.length - pattern.ending.length);
    return pattern.baseURL.replace("*", star);
  }

  return {
    baseURLAt(text) {
      const asWritten = exact.get(text);
      if (asWritten !== undefined) return asWritten;
      const authority = parseAuthority(text);
      if (authority === null) return null;
      const key = keyOf(authority);
      return exact.get(key) ?? matching(key);
    },
  };
}

function keyOf({ hostname, port }: Authority): string {
  return port === "" ? hostname : `${hostname}:${port}`;
}

function splitFirstLabel(name: string): readonly [first: string, rest: string] {
  const dot = name.indexOf(".");
  return dot === -1 ? [name, ""] : [name.slice(0, dot), name.slice(dot + 1)];
}
