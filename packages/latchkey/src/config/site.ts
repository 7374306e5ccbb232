import { withoutTrailingSlashes } from "../http/trailing-slash.ts";

/** Where users sign in: one base URL. */
export interface Site {
  /** Without a trailing slash. */
  readonly baseURL: string;
  readonly origin: string;
  /** Path of the base URL, without a trailing slash; empty for an app at the root. */
  readonly basePath: string;
  /** Whether it is the first base URL of the settings. */
  readonly isPrimary: boolean;
}

/** The host of a site as events name it: nothing if it is the only one. */
export function placeOfSite({
  origin,
  baseURLs,
}: Pick<Site, "origin"> & { readonly baseURLs: readonly string[] }): { readonly host?: string } {
  return baseURLs.length > 1 ? { host: new URL(origin).host } : {};
}

/** @param baseURL - as the settings spell it */
export function siteAt(baseURL: string, { isPrimary }: Pick<Site, "isPrimary">): Site {
  return {
    baseURL: withoutTrailingSlashes(baseURL),
    origin: new URL(baseURL).origin,
    basePath: basePathOf(baseURL),
    isPrimary,
  };
}

/** Returns the path of a base URL, without a trailing slash. */
export function basePathOf(baseURL: string): string {
  return withoutTrailingSlashes(new URL(baseURL).pathname);
}
