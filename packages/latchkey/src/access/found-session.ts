import type { Context } from "../context.ts";
import type { Cookies } from "../http/cookies.ts";
import { carriedSession, type SessionReader, type SessionResult } from "../session/read-session.ts";
import { sessionIdOf } from "../session/session-handle.ts";

/** Tells telemetry what a session was found to be. */
export async function measuredRead(
  { observer: { measure } }: Context,
  read: () => Promise<SessionResult>,
): Promise<SessionResult> {
  try {
    const found = await read();
    if (found.state === "active") measure({ of: "session-read", result: "live" });
    else if (found.state === "none") measure({ of: "session-read", result: "none" });
    else measure({ of: "session-read", result: "ended", reason: found.reason });
    return found;
  } catch (error) {
    measure({ of: "session-read", result: "unavailable" });
    throw error;
  }
}

/** The browser loses its session now. Requests that come together lose the same one, and one event tells it. */
export function tellEnd(
  { endsTold, log, reader }: Context,
  cookies: Cookies,
  { reason, stored }: Extract<SessionResult, { state: "ended" }>,
): void {
  // Whatever ended it elsewhere has told it.
  if (reason === "elsewhere" || reason === "refused") return;
  const session = stored?.header.id ?? carriedSessionId(reader, cookies);
  if (session !== undefined && !endsTold.add(session, true)) return;
  const told = reason === "idle" && stored === null ? "expired" : reason;
  log({ event: "sign-out", reason: told, sub: stored?.data.user.sub, session });
}

/** A handle tells which session it was, also where nothing is left of that. */
function carriedSessionId(reader: SessionReader, cookies: Cookies): string | undefined {
  const carried = carriedSession(reader, cookies);
  return carried !== null && "secret" in carried ? sessionIdOf(carried) : undefined;
}
