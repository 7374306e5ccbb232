import type { RecentActivity } from "../activity/recent-activity.ts";
import type { Context } from "../context.ts";

/** The context of the routes, with what only handlers of the app can read. */
export interface HostContext extends Context {
  /** Recent sign-ins and sign-outs of each user; `null` unless the setting is on. */
  readonly activity: RecentActivity | null;
}
