import type { RecentActivity } from "../activity/recent-activity.ts";
import type { PathRule } from "../config/access-rule.ts";
import type { Context } from "../context.ts";
import type { EventStreams } from "../http/event-stream.ts";
import type { PendingEnds } from "../session/marks/pending-ends.ts";
import type { SessionKeys } from "../session/session-keys.ts";
import type { SessionData } from "../session/session.ts";
import type { KeptForms } from "../transaction/form-cookie.ts";

/** The context of the routes, with what only the host and the handlers of the app read. */
export interface HostContext extends Context {
  /** Recent sign-ins and sign-outs of each user; `null` unless the setting is on. */
  readonly activity: RecentActivity | null;
  readonly keptForms: KeptForms;
  /** The access rules of the app for its paths. */
  readonly pathRules: readonly PathRule<SessionData>[];
  readonly sessionKeys: SessionKeys;
  /** Sign-outs that are not yet written to the store. */
  readonly pendingEnds: PendingEnds;
  /** The streams to open pages. */
  readonly streams: EventStreams;
  /** What an operator should change; the store may still add to it. */
  readonly startWarnings: readonly string[];
}
