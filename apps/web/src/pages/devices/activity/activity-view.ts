import type { Activity } from "latchkey";

import { describeDevice } from "../device-name.ts";
import type { DeviceName } from "../device-name.ts";

/** One event, as it is shown. */
export interface ShownActivity extends Pick<Activity, "at" | "count" | "isCurrent" | "kind"> {
  /** Absent where nobody knows which it was. */
  readonly device?: DeviceName;
  /** Shortened; absent where that is not kept. */
  readonly network?: string;
  readonly reference?: string;
}

/** What has happened lately, newest first. */
export function activityView(activity: readonly Activity[]): readonly ShownActivity[] {
  return activity.map(({ kind, at, count, isCurrent, device, reference }) => ({
    kind,
    at,
    count,
    isCurrent,
    ...(device === null ? {} : { device: describeDevice(device) }),
    ...(device?.network == null ? {} : { network: device.network }),
    ...(reference === null ? {} : { reference }),
  }));
}
