import type { Activity } from "latchkey";

import { describeDevice } from "../../../components/device-name.ts";
import type { RenderContext } from "../../../rendering/render-context.ts";
import type { DeviceName } from "../../../components/device-name.ts";

/** One event, as it is shown. */
export interface ShownActivity extends Pick<
  Activity,
  "at" | "count" | "isByCurrent" | "isCurrent" | "kind"
> {
  /** Absent if unknown. */
  readonly device?: DeviceName | undefined;
  /** With what the user signed in, if it is known and the app has several ways. */
  readonly label?: string | undefined;
  /** Shortened; absent if the app does not keep it. */
  readonly network?: string | null | undefined;
  readonly reference?: string | null;
}

/** What was refused, or ended by others: a user may ask the people who run the app about it. */
const explainable: ReadonlySet<Activity["kind"]> = new Set([
  "sign-in-refused",
  "refresh-refused",
  "signed-out-by-provider",
  "signed-out-by-operator",
  "signed-out-by-app",
  "signed-out-unproved",
]);

/** What has happened lately, newest first. */
export function activityView(
  activity: readonly Activity[],
  labelOf: RenderContext["labelOf"] = () => undefined,
): readonly ShownActivity[] {
  return activity.map(({ kind, at, count, connection, device, reference, ...whose }) => ({
    kind,
    at,
    count,
    isByCurrent: whose.isByCurrent,
    isCurrent: whose.isCurrent,
    label: connection === null ? undefined : labelOf(connection),
    device: device === null ? undefined : describeDevice(device),
    network: device?.network,
    reference: explainable.has(kind) ? reference : null,
  }));
}
