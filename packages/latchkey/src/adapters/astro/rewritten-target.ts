import { appPath } from "../../access/addresses.ts";
import type { Config } from "../../config/config.ts";

/** What tells which page Astro shows, or which action it runs. */
export interface RoutedContext {
  readonly request: Request;
  /** That of the request, decoded: by this one Astro finds an action. */
  readonly url: URL;
  readonly routePattern: string;
  readonly params: Readonly<Record<string, string | undefined>>;
  /** `undefined` without `i18n`. */
  readonly currentLocale?: string | undefined;
}

/** The route of actions that a script calls. */
export const actionPattern = "/_actions/[...path]";

/**
 * Astro runs an action at every address that ends in `/_actions/` and its name, whatever stands between, and at every page
 * whose query names it. What was sent and the action's own address are guarded both.
 */
export function actionTarget({ request, url, routePattern }: RoutedContext): readonly string[] {
  if (routePattern === actionPattern) {
    return [url.pathname.slice(url.pathname.lastIndexOf("/_actions/"))];
  }
  const name = request.method === "POST" ? url.searchParams.get("_action") : null;
  return name === null ? [] : [`/_actions/${name}`];
}

/** With `i18n.fallback`, Astro shows a page below the name of a language that has none of its own: its route tells which. */
export function fallbackTarget(
  config: Config,
  { currentLocale, params, routePattern, url }: RoutedContext,
): readonly string[] {
  if (currentLocale === undefined) return [];
  const page = routePattern.replaceAll(
    /\[(?:\.{3})?([^\]]+)\]/g,
    (_, name: string) => params[name] ?? "",
  );
  const path = appPath(config, url.pathname);
  const isFallback =
    page === "/"
      ? path !== "/"
      : !path.startsWith(page) && path.startsWith(page, path.indexOf("/", 1));
  return isFallback ? [encodeURI(page) + url.search] : [];
}
