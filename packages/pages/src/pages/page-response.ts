import type { RequestAuth } from "latchkey";

import type { SignInWay } from "../components/page-frame.tsx";
import { forRequest } from "../rendering/for-request.ts";
import type { Page } from "../rendering/page.ts";
import type { RenderContext } from "../rendering/render-context.ts";
import { renderPage } from "../rendering/render.tsx";
import type { PageContext } from "./page-deps.ts";
import { clearStepUpFlash, hasSteppedUp } from "./step-up/step-up-flash.ts";

/**
 * A page as a response, in the language of the browser. The first one after a sign-in that proves
 * more says so.
 */
export function pageResponse(context: PageContext, page: Page): Response {
  if (page.access === "public") return responseOf(context, page);
  const { rendering } = context.env.deps;
  const way = wayOf(context.var.auth, rendering);
  // If there are several ways, pages name that of the session, else the only one.
  const named = way === undefined ? page : { ...page, way, provider: way.label };
  if (!hasSteppedUp(context, page.session, rendering)) return responseOf(context, named);
  const response = responseOf(context, { ...named, hasSteppedUp: true });
  response.headers.append("Set-Cookie", clearStepUpFlash(rendering));
  return response;
}

function wayOf(
  { connection }: Pick<RequestAuth, "connection">,
  { labelOf }: RenderContext,
): SignInWay | undefined {
  if (labelOf === undefined || connection === null) return undefined;
  return { connection, label: labelOf(connection) ?? connection };
}

/** HTML of responses, which a `Response` would encode, and decode again. */
const htmlOf = new WeakMap<Response, string>();

function responseOf({ env }: PageContext, page: Page): Response {
  const response = new Response(null, { headers: pageHeaders });
  htmlOf.set(response, renderPage(page, ...forRequest(env.page, env.deps.rendering)));
  return response;
}

/** Returns the HTML of a page; `null` for any other response. */
export function htmlIn(response: Response): string | null {
  return htmlOf.get(response) ?? null;
}

/** Sign-in keeps pages out of caches: each is for one person and one moment. */
export const pageHeaders = {
  "Content-Type": "text/html; charset=utf-8",
  Vary: "Accept-Language, Accept-Encoding",
} as const;
