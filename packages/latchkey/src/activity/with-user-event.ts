import { withDeviceName } from "../session/device-trace.ts";
import type { UserEvent } from "../session/user-event.ts";
import { type ActivityEntry, inBrowserOf, withDevice, withEntry } from "./activity-entry.ts";

/**
 * The activity of a user after an event.
 *
 * @param now - epoch seconds
 */
export function withUserEvent(
  entries: readonly ActivityEntry[],
  event: UserEvent,
  now: number,
): readonly ActivityEntry[] {
  switch (event.event) {
    case "signed-in": {
      const { event: kind, session, sidTag, device, connection, replaced } = event;
      const browser = inBrowserOf(entries, replaced);
      const entry = { kind, at: now, sessions: [session], sidTag, device, connection, ...browser };
      return withEntry(entries, entry);
    }
    case "sign-in-refused": {
      const { reference, device } = event;
      return withEntry(entries, { kind: event.event, at: now, sessions: [], reference, device });
    }
    case "ended-by-provider": {
      const { session, sidTag } = event;
      const kind = "signed-out-by-provider";
      return withEntry(entries, { kind, at: now, sessions: [session], sidTag });
    }
    // Its sign-in may have no entry.
    case "device-ended":
      return withDevice(entries, event.session, (device) => device ?? event.device);
    case "device-renamed":
      return withDevice(
        entries,
        event.session,
        (device) => device && withDeviceName(device, event.name),
      );
  }
}
