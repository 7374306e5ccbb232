import type { Context } from "../context.ts";
import type { ActivityEntry, ActivityKind } from "./activity-entry.ts";
import { sharesSession } from "./activity-entry.ts";
import { deviceTraceIn } from "../session/device-trace.ts";
import { ownerOf } from "../devices/owner.ts";
import type { Device } from "../devices/list-devices.ts";
import { referenceOf } from "../telemetry/reference.ts";
import type { Exchange } from "../request/exchange.ts";
import type { RecentActivity } from "./recent-activity.ts";

/** An event of the sign-ins of a user. */
export interface Activity {
  /** What has happened. */
  readonly kind: ActivityKind;
  /** Epoch seconds. */
  readonly at: number;
  /** The browser of the event; `null` if unknown. */
  readonly device: Pick<Device, "name" | "network" | "userAgent"> | null;
  /** The id of the connection of the sign-in; `null` if the app had one alone, or if unknown. */
  readonly connection: string | null;
  /** Whether it happened to the sign-in of this very request. */
  readonly isCurrent: boolean;
  /** Whether the sign-in of this very request ended that of another device. */
  readonly isByCurrent: boolean;
  /**
   * Names the browser: sign-ins have the same one if each replaced the session of the one before.
   * No secret; `null` if unknown.
   */
  readonly browser: string | null;
  /** To how many sign-ins it happened together. */
  readonly count: number;
  /**
   * Helps an operator to find it, e.g. `7F3K-92QD`: the reference on the page, or that of the
   * session, as in the audit; `null` without either.
   */
  readonly reference: string | null;
}

const shownAtMost = 10;

/** See `RequestAuth.activity`; an empty list without a signed-in user. */
export async function listActivity(
  activity: RecentActivity | null,
  context: Context,
  exchange: Exchange,
): Promise<readonly Activity[] | null> {
  if (activity === null) return null;
  const owner = await ownerOf(context, exchange);
  if (owner === null) return [];
  const entries = await activity.list(owner.subTag);
  return entries
    .slice(0, shownAtMost)
    .map((entry) => toActivity(entry, entries, owner.stored.header.id));
}

function toActivity(
  entry: ActivityEntry,
  entries: readonly ActivityEntry[],
  current: string,
): Activity {
  const { kind, at, sessions, by } = entry;
  const signIn = entries.find((each) => each.device !== undefined && sharesSession(each, entry));
  const device = sessions.length > 1 ? undefined : (entry.device ?? signIn?.device);
  const session = sessions[0] ?? signIn?.sessions[0];
  const browser = sessions.length > 1 ? undefined : (entry.first ?? signIn?.first ?? session);
  return {
    kind,
    at,
    device: device === undefined ? null : { name: "", network: null, ...deviceTraceIn(device) },
    connection:
      (sessions.length > 1 ? undefined : (entry.connection ?? signIn?.connection)) ?? null,
    isCurrent: session === current,
    isByCurrent: by === current,
    browser: browser === undefined ? null : referenceOf(browser),
    count: Math.max(1, sessions.length),
    reference: entry.reference ?? (session === undefined ? null : referenceOf(session)),
  };
}
