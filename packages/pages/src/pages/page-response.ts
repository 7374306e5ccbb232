import type { Context } from "hono";
import { accepts } from "hono/accepts";
import type { AuthRequest, Session } from "latchkey";

import { htmlOf } from "../rendering/document-parts.ts";
import { forRequest } from "../rendering/for-request.ts";
import type { Page } from "../rendering/page.ts";
import type { RenderContext } from "../rendering/render-context.ts";
import { renderParts } from "../rendering/render.tsx";
import { clearStepUpFlash, hasSteppedUp } from "./step-up/step-up-flash.ts";
import type { PageProblem } from "./problem/page-problem.ts";
import type { ProblemPageFacts } from "./problem/problem-facts.ts";
import { problemPage } from "./problem/problem-screen.tsx";

/**
 * A page as a response, in the language of the browser. The first one after a sign-in that proves
 * more says so.
 */
export function pageResponse(
  context: Context,
  page: Page,
  rendering: RenderContext,
  status = 200,
): Response {
  if (page.access === "public" || !hasSteppedUp(context, page.session, rendering))
    return responseOf(context, page, rendering, status);
  const response = responseOf(context, { ...page, hasSteppedUp: true }, rendering, status);
  response.headers.append("Set-Cookie", clearStepUpFlash(rendering));
  return response;
}

function responseOf(
  context: Context,
  page: Page,
  rendering: RenderContext,
  status: number,
): Response {
  const parts = renderParts(page, ...forRequest(requestOf(context), rendering));
  const { compress } = rendering;
  if (compress === undefined || !acceptsGzip(context)) return htmlResponse(htmlOf(parts), status);
  return new Response(compress(parts), {
    status,
    headers: { ...pageHeaders, "Content-Encoding": "gzip" },
  });
}

/** The request as the app has received it; hosts give it beside the one for these routes. */
function requestOf({ env, req }: Context): AuthRequest {
  const { page } = (env ?? {}) as { readonly page?: AuthRequest };
  return page ?? req.raw;
}

function acceptsGzip(context: Context): boolean {
  return (
    accepts(context, { header: "Accept-Encoding", supports: ["gzip"], default: "identity" }) ===
    "gzip"
  );
}

/** HTML as a response, which no cache may keep: a page is for one person and one moment. */
export function htmlResponse(html: string, status = 200): Response {
  return new Response(html, { status, headers: pageHeaders });
}

const pageHeaders = {
  "Content-Type": "text/html; charset=utf-8",
  "Cache-Control": "no-store",
  Vary: "Accept-Language, Accept-Encoding",
} as const;

/** A problem: a page for people, JSON for programs. */
export function problemResponse(
  context: Context,
  problem: PageProblem,
  rendering: RenderContext,
  session: Session | null,
  facts: ProblemPageFacts,
): Response {
  const { status, code, message, reference } = problem;
  if (wantsPage(context))
    return pageResponse(context, problemPage(problem, session, facts), rendering, status);
  return Response.json(
    { error: code, description: message, reference },
    { status, headers: { "Cache-Control": "no-store" } },
  );
}

/** Whether the client prefers a page over JSON. */
export function wantsPage(context: Context): boolean {
  const preferred = accepts(context, {
    header: "Accept",
    supports: ["text/html", "application/json"],
    default: "application/json",
  });
  return preferred === "text/html";
}
