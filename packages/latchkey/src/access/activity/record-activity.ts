import type { Log } from "../../config/telemetry/log-event.ts";
import type { Context } from "../../context.ts";
import {
  type ActivityEntry,
  withEntry,
  withoutLaterEnd,
} from "../../session/activity/activity-entry.ts";
import { providerSessionTag, registrationOf, userTag } from "../../session/session-handle.ts";
import { activityOfEvent } from "./activity-of-event.ts";

type ActivityContext = Pick<Context, "activity" | "config">;

/** An event; by default it happens now, to no session that could be named. */
type NewEntry = Partial<ActivityEntry> & Pick<ActivityEntry, "kind">;

/**
 * Keeps an event for a person.
 *
 * @param sub - as the provider names them
 */
export function recordActivity(
  { activity, config }: ActivityContext,
  sub: string,
  entry: NewEntry,
): void {
  activity?.change(userTag(registrationOf(config), sub), (entries, now) =>
    withEntry(entries, { at: now, sessions: [], ...entry }),
  );
}

/** Keeps what the log is told of the ends of sign-ins, and forgets ends that are taken back. */
export function activityLog(context: ActivityContext): Log {
  const registration = registrationOf(context.config);
  return (event) => {
    if (event.event === "sign-out-undone") {
      const { sub, session = "" } = event;
      const subTag = userTag(registration, sub);
      context.activity?.change(subTag, (entries, now) => withoutLaterEnd(entries, session, now));
      return;
    }
    const activity = activityOfEvent(event);
    if (activity === null) return;
    const { sub, sid, ...entry } = activity;
    const sidTag = sid === undefined ? undefined : providerSessionTag(registration, sid);
    recordActivity(context, sub, { ...entry, sidTag });
  };
}
