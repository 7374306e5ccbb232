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
  if (context.choose === undefined) return [accepted, context];
  const { scheme, language = accepted } = context.choose(request);
  return [language, { ...context, site: siteIn(context.site, scheme) }];
}

/** Parts of pages are kept by their site, so there is one for each scheme. */
const sites = new WeakMap<Site, Map<Scheme, Site>>();

function siteIn(site: Site, scheme: Scheme): Site {
  const known = sites.get(site) ?? new Map<Scheme, Site>();
  sites.set(site, known);
  const found = known.get(scheme) ?? { ...site, scheme };
  known.set(scheme, found);
  return found;
}
