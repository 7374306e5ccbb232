import type { Activity } from "latchkey";

import { describeDevice } from "../device-name.ts";
import type { DeviceName } from "../device-name.ts";

/** One event, as it is shown. */
export interface ShownActivity extends Pick<Activity, "at" | "count" | "isCurrent" | "kind"> {
  /** Absent if unknown. */
  readonly device?: DeviceName | undefined;
  /** Shortened; absent if the app does not keep it. */
  readonly network?: string | null | undefined;
  readonly reference?: string | null;
}

/** What has happened lately, newest first. */
export function activityView(activity: readonly Activity[]): readonly ShownActivity[] {
  return activity.map(({ kind, at, count, isCurrent, device, reference }) => ({
    kind,
    at,
    count,
    isCurrent,
    device: device === null ? undefined : describeDevice(device),
    network: device?.network,
    // A reference is for the help desk: of what was refused.
    reference: kind === "sign-in-refused" ? reference : null,
  }));
}
