import { type Config, configAt } from "../config/config.ts";
import type { HostRequest } from "../http/auth-request.ts";
import { parseAuthority } from "../http/authority.ts";
import { parseTarget } from "../http/request-target.ts";
import { createSiteMap } from "../http/site-map.ts";
import { createRecentlyUsed } from "../time/recently-used.ts";
import type { HostContext } from "./host-context.ts";

/** The contexts of the sites of an app, each made at its first use. */
export interface Sites {
  /** That of the first base URL. */
  readonly primary: HostContext;
  /** Returns the context of the site that a request is for; `null` if no site has its host. */
  of(request: HostRequest): HostContext | null;
}

/** A star stands for any number of sites, and a client chooses the names. */
const atMost = 1000;

/** With one base URL, the host of a request does not count. */
export function createSites(config: Config, contextAt: (config: Config) => HostContext): Sites {
  const primary = contextAt(config);
  const { baseURLs, hostHeader } = config;
  if (baseURLs.length === 1) return { primary, of: () => primary };
  const siteMap = createSiteMap(baseURLs);
  const listed = new Map([[config.baseURL, primary]]);
  const ofStars = createRecentlyUsed<HostContext>(atMost);
  const named = createRecentlyUsed<true>(atMost);
  const make = (baseURL: string) => contextAt(configAt(config, baseURL));

  function at(baseURL: string): HostContext {
    const known = listed.get(baseURL) ?? ofStars.get(baseURL);
    if (known !== undefined) return known;
    const made = make(baseURL);
    if (baseURLs.includes(baseURL)) listed.set(baseURL, made);
    // A name that comes once displaces no site that is in use.
    else if (named.get(baseURL) === undefined) named.set(baseURL, true);
    else ofStars.set(baseURL, made);
    return made;
  }

  return {
    primary,
    of(request) {
      // Pages of other servers sign in at the primary site.
      if (request.pageURL !== undefined) return primary;
      const authority = authorityOf(request, hostHeader);
      const baseURL = authority === null ? null : siteMap.baseURLAt(authority);
      return baseURL === null ? null : at(baseURL);
    },
  };
}

/**
 * Returns the host that a request names: in the header of the settings, else in its target or in
 * `Host` (RFC 9112, section 3.2.2).
 *
 * @returns `null` if it names none, or two
 */
export function authorityOf(
  { headers, target, authority: ofAddress }: HostRequest,
  hostHeader: string | undefined,
): string | null {
  if (hostHeader !== undefined) return headers.get(hostHeader);
  const ofHeader = headers.get("host");
  const ofTarget = parseTarget(target)?.authority ?? null;
  if (ofTarget === null) return ofHeader ?? ofAddress ?? null;
  return ofHeader === null || areSame(ofTarget, ofHeader) ? ofTarget : null;
}

function areSame(one: string, other: string): boolean {
  const [first, second] = [parseAuthority(one), parseAuthority(other)];
  return first?.hostname === second?.hostname && first?.port === second?.port;
}
