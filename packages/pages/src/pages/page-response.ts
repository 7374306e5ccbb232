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
export function pageResponse(context: PageContext, page: Page, rendering: RenderContext): Response {
  if (page.access === "public" || !hasSteppedUp(context, page.session, rendering))
    return responseOf(context, page, rendering);
  const response = responseOf(context, { ...page, hasSteppedUp: true }, rendering);
  response.headers.append("Set-Cookie", clearStepUpFlash(rendering));
  return response;
}

function responseOf({ env }: PageContext, page: Page, rendering: RenderContext): Response {
  return htmlResponse(renderPage(page, ...forRequest(env.page, rendering)));
}

/** HTML as a response. Sign-in keeps it out of caches: a page is for one person and one moment. */
export function htmlResponse(html: string): Response {
  return new Response(html, { headers: pageHeaders });
}

const pageHeaders = {
  "Content-Type": "text/html; charset=utf-8",
  Vary: "Accept-Language, Accept-Encoding",
} as const;
