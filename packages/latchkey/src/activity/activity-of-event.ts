import type { LogEvent, SignOutReason } from "../telemetry/log-event.ts";
import type { ActivityEntry, ActivityKind } from "./activity-entry.ts";

/** An event as its user sees it. */
export interface ActivityOfEvent extends Pick<ActivityEntry, "by" | "kind" | "sessions"> {
  /** As the provider names the person. */
  readonly sub: string;
  /** As the provider names its session. */
  readonly sid: string | undefined;
}

/** The end of a sign-in as its user sees it; `null` for every other event. */
export function activityOfEvent(event: LogEvent): ActivityOfEvent | null {
  if (event.event === "refresh" && event.outcome === "refused") {
    const { sub, session } = event;
    return { kind: "refresh-refused", sub, sid: undefined, sessions: listOf(session) };
  }
  if (event.event !== "sign-out") return null;
  const { reason, sub, sid, session, cause } = event;
  // Ending this very device in the list signs out there.
  const kind = reason === "device" && cause === session ? "signed-out" : endedBy[reason];
  if (sub === undefined || kind === null) return null;
  const by = kind === "signed-out-elsewhere" ? cause : undefined;
  return { kind, sub, sid, sessions: listOf(session), ...(by !== undefined && { by }) };
}

function listOf(session: string | undefined): readonly string[] {
  return session === undefined ? [] : [session];
}

const endedBy: Readonly<Record<SignOutReason, ActivityKind | null>> = {
  logout: "signed-out",
  device: "signed-out-elsewhere",
  others: "signed-out-others",
  all: "signed-out-everywhere",
  backchannel: "signed-out-by-provider",
  frontchannel: "signed-out-by-provider",
  operator: "signed-out-by-operator",
  ended: "signed-out-by-app",
  unproved: "signed-out-unproved",
  idle: "expired",
  "max-age": "expired",
  expired: "expired",
  // The same user is signed in there again, and the other user is unknown.
  replaced: null,
  unreadable: null,
};
