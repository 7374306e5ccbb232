import { type Problem, type Session, toResponse } from "latchkey";

import type { ProblemPageFacts } from "./problem/problem-screen.tsx";
import type { LiveView } from "../rendering/live-view.tsx";
import type { PlainView } from "../rendering/plain-view.tsx";
import { encodePage } from "../rendering/content-coding.ts";
import { type Press, renderLivePage, renderPlainPage } from "../rendering/render.tsx";

/** HTML as an answer. Pages are for one person and one moment: nobody keeps them. */
export function pageAnswer(request: Request, html: string, status = 200): Response {
  const headers = [
    ["Content-Type", "text/html; charset=utf-8"],
    ["Cache-Control", "no-store"],
  ] as const;
  return toResponse(encodePage(request, { status, headers, body: html }));
}

/** A page that needs no script. */
export function plainAnswer(
  press: Press,
  request: Request,
  view: PlainView,
  status?: number,
): Response {
  return pageAnswer(request, renderPlainPage(view, languageOf(request), press), status);
}

/** A page for a signed-in person. */
export function liveAnswer(
  press: Press,
  request: Request,
  view: LiveView,
  session: Session,
): Response {
  return pageAnswer(request, renderLivePage(view, session, languageOf(request), press));
}

function languageOf({ headers }: Request): string | null {
  return headers.get("accept-language");
}

/** A problem as a page for people, and as JSON for programs. */
export function problemAnswer(
  press: Press,
  request: Request,
  problem: Problem,
  facts: ProblemPageFacts,
): Response {
  const { status, code, message, reference } = problem;
  if (wantsPage(request)) {
    return plainAnswer(press, request, { screen: "problem", problem, facts }, status);
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
