import type { Log } from "../telemetry/log-event.ts";
import type { Context } from "../context.ts";
import { type ActivityEntry, inBrowserOf, withEntry } from "./activity-entry.ts";
import { providerSessionTag, registrationOf, userTag } from "../session/session-handle.ts";
import { activityOfEvent } from "./activity-of-event.ts";

type ActivityContext = Pick<Context, "activity" | "config">;

/** An event; by default it happens now, to no named session. */
type NewEntry = Partial<ActivityEntry> &
  Pick<ActivityEntry, "kind"> & {
    /** Of a sign-in: the session that it replaced in its browser. */
    readonly replaced?: string | undefined;
  };

/**
 * Keeps an event for a person.
 *
 * @param sub - as the provider names them
 */
export function recordActivity(
  { activity, config }: ActivityContext,
  sub: string,
  { replaced, ...entry }: NewEntry,
): void {
  activity?.change(userTag(registrationOf(config), sub), (entries, now) =>
    withEntry(entries, { at: now, sessions: [], ...inBrowserOf(entries, replaced), ...entry }),
  );
}

/** Returns a log that records the ends of sign-ins as activity. */
export function activityLog(context: ActivityContext): Log {
  const registration = registrationOf(context.config);
  return (event) => {
    const activity = activityOfEvent(event);
    if (activity === null) return;
    const { sub, sid, ...entry } = activity;
    const sidTag = sid === undefined ? undefined : providerSessionTag(registration, sid);
    recordActivity(context, sub, { ...entry, sidTag });
  };
}
