import type { AuthRequest } from "latchkey";

import type { Site } from "../components/page-frame.tsx";
import type { Scheme } from "./brand.ts";
import type { RenderContext } from "./render-context.ts";

/** The language of the page of a request, and the context to render it with. */
export function forRequest(
  request: AuthRequest,
  context: RenderContext,
): [language: string | null, context: RenderContext] {
  const accepted = request.headers.get("accept-language");
  const { scheme, language = accepted } = context.choose?.(request) ?? {};
  const isElsewhere = request.pageURL !== undefined;
  if (scheme === undefined && !isElsewhere) return [language, context];
  return [language, { ...context, site: siteFor(context.site, { scheme, isElsewhere }) }];
}

interface Place {
  readonly scheme: Scheme | undefined;
  /** Whether the page is below the address of another app, whose own paths lead elsewhere. */
  readonly isElsewhere: boolean;
}

/** Parts of pages are kept by their site, so there is one for each scheme and place. */
const sites = new WeakMap<Site, Map<string, Site>>();

function siteFor(site: Site, { scheme, isElsewhere }: Place): Site {
  const known = sites.get(site) ?? new Map<string, Site>();
  sites.set(site, known);
  const key = `${scheme} ${isElsewhere}`;
  const root = isElsewhere ? new URL(site.baseURL).origin + site.root : site.root;
  const found = known.get(key) ?? { ...site, scheme, root };
  known.set(key, found);
  return found;
}
