/** Which requests a browser proves its key for (decision 0147). */
import type { Config } from "../config/config.ts";
import type { Pages } from "../config/pages.ts";
import { withoutTrailingSlash } from "../http/trailing-slash.ts";

/** Folders of built files, as frameworks and apps call them. */
const staticNames: ReadonlySet<string> = new Set(
  "_astro _nuxt assets build css dist fonts icons images img immutable js media static".split(" "),
);
/** Browsers keep few. */
const rulesAtMost = 20;

/**
 * The scope of a registration (Device Bound Session Credentials, W3C draft): the origin, without
 * the files that every visitor may load. Their requests wait for no proof. A path behind sign-in is
 * never left out, whatever its name.
 */
export function deviceScope(
  { origin, basePath, pagesPrefix, publicPaths }: Scoped,
  { files, root = pagesPrefix }: Pick<Pages, "files" | "root">,
) {
  const named = publicPaths.filter((each) => staticNames.has(lastNameOf(each)));
  const ofPages = files === undefined ? [] : [root + files];
  const paths = ["/favicon.ico", "/_next/static", ...ofPages, ...named];
  const domain = new URL(origin).hostname;
  const excluded = [...new Set(paths.map((each) => basePath + withoutTrailingSlash(each)))];
  return {
    origin,
    include_site: false,
    scope_specification: excluded
      .slice(0, rulesAtMost)
      .map((path) => ({ type: "exclude", domain, path })),
  };
}

type Scoped = Pick<Config, "basePath" | "origin" | "pagesPrefix" | "publicPaths">;

/** The last name of a public folder; empty for a public page. */
function lastNameOf(path: string): string {
  return path.endsWith("/") ? (path.split("/").at(-2) ?? "") : "";
}
