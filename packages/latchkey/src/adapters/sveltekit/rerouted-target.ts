import { appPath } from "../../config/addresses.ts";
import type { Config } from "../../config/config.ts";
import { withoutTrailingSlash } from "../../http/trailing-slash.ts";

/** The part of an event which identifies the page that SvelteKit shows. */
export interface RoutedEvent {
  readonly url: URL;
  readonly route: { readonly id: string | null };
  readonly params: Readonly<Record<string, string | number | boolean | bigint | undefined>>;
  readonly isRemoteRequest: boolean;
}

/** The hook `reroute` may have chosen another page. The route of the event identifies it. */
export function reroutedTarget(
  config: Config,
  { isRemoteRequest, params, route, url }: RoutedEvent,
): readonly string[] {
  if (isRemoteRequest || route.id === null) return [];
  const page = withoutTrailingSlash(pathOf(route.id, params));
  const path = withoutTrailingSlash(decodePath(appPath(config, url.pathname)));
  return page === path ? [] : [encodeURI(page || "/") + url.search];
}

/** The path of a route: without its groups, and with the values of its parameters. */
function pathOf(id: string, params: RoutedEvent["params"]): string {
  return id
    .replaceAll(/\/\([^/]*\)(?=\/|$)/g, "")
    .replaceAll(/\[[xu]\+([\da-f-]+)\]/gi, (_, codes: string) =>
      String.fromCodePoint(...codes.split("-").map((code) => Number.parseInt(code, 16))),
    )
    .replaceAll(/\[{1,2}(?:\.{3})?([^\]=]+)(?:=[^\]]*)?\]{1,2}/g, (_, name: string) =>
      String(params[name] ?? ""),
    )
    .replaceAll(/\/{2,}/g, "/");
}

/** Decodes a path as SvelteKit does before it matches routes. */
function decodePath(path: string): string {
  try {
    return path.split("%25").map(decodeURI).join("%25");
  } catch {
    return path;
  }
}
