import { type Context, logOf } from "../context.ts";
import type { Cookies } from "../http/cookies.ts";
import { carriedSession, type SessionReader, type SessionResult } from "../session/read-session.ts";
import type { StoredSession } from "../session/session.ts";
import type { UserEvent } from "../session/user-event.ts";
import { sessionIdOf } from "../session/session-handle.ts";

/** The browser loses its session now. Parallel requests lose the same one, and log one event. */
export function logEnd(
  context: Context,
  cookies: Cookies,
  { reason, stored, isByProvider }: Extract<SessionResult, { state: "ended" }>,
): void {
  const { recent, reader } = context;
  if (isByProvider === true && stored !== null) reportProviderEnd(context.onUserEvent, stored);
  // It was logged with its end elsewhere.
  if (reason === "elsewhere") return;
  const session = stored?.header.id ?? carriedSessionId(reader, cookies);
  if (session !== undefined && !recent.rememberLoggedEnd(session)) return;
  const isLongOver = reason === "idle" && stored === null;
  logOf(
    context,
    stored?.header ?? {},
  )({
    event: "sign-out",
    reason: isLongOver ? "expired" : reason,
    sub: stored?.data.user.sub,
    session,
  });
}

/** A logout token may have named the session alone: then only now is known whose it was. */
function reportProviderEnd(
  onUserEvent: (event: UserEvent) => void,
  { header }: StoredSession,
): void {
  const { id: session, subTag, sidTag } = header;
  onUserEvent({ event: "ended-by-provider", subTag, session, sidTag });
}

/** A handle names its session, also if nothing is left of it. */
export function carriedSessionId(reader: SessionReader, cookies: Cookies): string | undefined {
  const carried = carriedSession(reader, cookies);
  return carried !== null && "secret" in carried ? sessionIdOf(carried) : undefined;
}
