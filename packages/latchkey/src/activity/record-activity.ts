import { type ClientRegistration, providerSessionTag, userTag } from "../session/session-handle.ts";
import type { UserEvent } from "../session/user-event.ts";
import type { Log } from "../telemetry/log-event.ts";
import { withEntry } from "./activity-entry.ts";
import { activityOfEvent } from "./activity-of-event.ts";
import type { RecentActivity } from "./recent-activity.ts";
import { withUserEvent } from "./with-user-event.ts";

export interface ActivityRecorder {
  /** Records the ends of sign-ins. */
  readonly log: Log;
  readonly onUserEvent: (event: UserEvent) => void;
}

/** Returns the client of a connection by its id; `null` if it is not here. */
export type RegistrationOf = (connection: string | undefined) => ClientRegistration | null;

export function createActivityRecorder(
  activity: RecentActivity,
  registrationOf: RegistrationOf,
): ActivityRecorder {
  return {
    log(event) {
      const ended = activityOfEvent(event);
      const registration = registrationOf(event.connection);
      if (ended === null || registration === null) return;
      const { sub, sid, ...entry } = ended;
      const sidTag = sid === undefined ? undefined : providerSessionTag(registration, sid);
      activity.change(userTag(registration, sub), (entries, now) =>
        withEntry(entries, { at: now, ...entry, sidTag }),
      );
    },
    onUserEvent(event) {
      activity.change(event.subTag, (entries, now) => withUserEvent(entries, event, now));
    },
  };
}
