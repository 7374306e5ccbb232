import type { Session } from "latchkey";

import type { Page } from "../rendering/page.ts";
import type { RenderContext } from "../rendering/render-context.ts";
import { gzipOf, htmlOf } from "../rendering/document-parts.ts";
import { renderParts } from "../rendering/render.tsx";
import { acceptsGzip } from "../serving/accepts-gzip.ts";
import type { PageProblem } from "./problem/page-problem.ts";
import type { ProblemPageFacts } from "./problem/problem-facts.ts";
import { problemPage } from "./problem/problem-screen.tsx";

/** A page as a response, in the language of the browser. */
export function pageResponse(
  request: Request,
  page: Page,
  context: RenderContext,
  status = 200,
): Response {
  const { headers } = request;
  const parts = renderParts(page, headers.get("accept-language"), context);
  if (!acceptsGzip(headers.get("accept-encoding"))) return htmlResponse(htmlOf(parts), status);
  return new Response(gzipOf(parts), {
    status,
    headers: { ...pageHeaders, "Content-Encoding": "gzip" },
  });
}

/** HTML as a response. Pages are for one person and one moment: nobody keeps them. */
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
  request: Request,
  problem: PageProblem,
  context: RenderContext,
  session: Session | null,
  facts: ProblemPageFacts,
): Response {
  const { status, code, message, reference } = problem;
  if (wantsPage(request)) {
    return pageResponse(request, problemPage(problem, session, facts), context, status);
  }
  return Response.json(
    { error: code, error_description: message, request_id: reference },
    { status, headers: { "Cache-Control": "no-store" } },
  );
}

/** Whether a browser asks for a page. */
export function wantsPage({ headers }: Request): boolean {
  return headers.get("accept")?.includes("text/html") === true;
}
