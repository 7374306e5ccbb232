import type { Context } from "../context.ts";
import type { SessionData } from "../session/session.ts";
import type { OpenVisit } from "../session/visit.ts";
import { checkSize } from "./session-size.ts";
import { saveSession, visitRequest } from "./visit-request.ts";

/**
 * Keeps the data that the app wants in the session of a request; `null` where there is no session.
 *
 * @throws {TypeError} where it would be no session any more
 * @throws {Refusal} `session_too_large`; the session stays as it was
 */
export async function updateSession(
  context: Context,
  request: Request,
  change: (session: SessionData) => SessionData,
): Promise<OpenVisit | null> {
  const before = await visitRequest(context, request);
  if (before.stored === null) return null;
  const visit = await saveSession(context, request, change(before.stored.data));
  if (visit?.stored == null) return null;
  try {
    checkSize(context, setCookiesOf(visit), visit.stored.data);
  } catch (cause) {
    context.visits.keep(request, before);
    throw cause;
  }
  return visit;
}

function setCookiesOf({ headers }: OpenVisit): readonly string[] {
  return headers.flatMap(([name, value]) => (name === "Set-Cookie" ? [value] : []));
}
