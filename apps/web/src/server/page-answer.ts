import type { Problem, Session } from "latchkey";

import type { ProblemPageFacts } from "../screens/problem/problem-screen.tsx";
import type { View } from "../screens/view.tsx";
import { compressPage } from "./content-coding.ts";
import { renderPage, type Press } from "./render.tsx";

/** A view as an HTML answer. Pages are for one person and one moment: nobody keeps them. */
export function pageAnswer(
  press: Press,
  request: Request,
  view: View,
  session?: Session,
  status = 200,
): Promise<Response> {
  const html = renderPage(view, request.headers.get("accept-language"), press, session);
  const headers = { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" };
  return compressPage(request, new Response(html, { status, headers }));
}

/** A problem as a page for people, and as JSON for programs. */
export async function problemAnswer(
  press: Press,
  request: Request,
  problem: Problem,
  facts: ProblemPageFacts,
): Promise<Response> {
  const { status, code, message, reference } = problem;
  if (wantsPage(request)) {
    const view = { screen: "problem", problem, facts } as const;
    return pageAnswer(press, request, view, undefined, status);
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
