import { isPublicSuffix } from "../http/public-suffixes.ts";
import { isLoopback } from "./rules/rule.ts";

/**
 * Returns two hosts of the base URLs that are of one site: each can set cookies for the other (RFC
 * 6265bis, 8.7). A star stands for several hosts. `null` if there are none.
 */
export function sisterHosts(baseURLs: readonly string[]): readonly [string, string] | null {
  const seen = new Map<string, string>();
  for (const baseURL of baseURLs) {
    const { hostname } = new URL(baseURL);
    const site = siteOf(hostname);
    if (site === null || isLoopback(baseURL)) continue;
    const sister = seen.get(site);
    if (sister !== undefined) return [sister, hostname];
    if (hostname.includes("*") && !site.includes("*")) return [hostname, site];
    seen.set(site, hostname);
  }
  return null;
}

/** The shortest name of a host below a public suffix; `null` for an address of numbers. */
function siteOf(hostname: string): string | null {
  const labels = hostname.split(".");
  if (hostname.startsWith("[") || /^\d+$/.test(labels.at(-1) ?? "")) return null;
  const names = labels.map((_, nth) => labels.slice(nth).join("."));
  return names.toReversed().find((name) => !isPublicSuffix(name)) ?? null;
}
