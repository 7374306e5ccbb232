import { type Context, nowSeconds } from "../../context.ts";
import type { ActivityEntry, ActivityKind } from "../../session/activity/activity-entry.ts";
import { sharesSession } from "../../session/activity/activity-entry.ts";
import { deviceTraceIn } from "../../session/device.ts";
import { ownerOf } from "../devices/owner.ts";
import type { Device } from "../devices/list-devices.ts";
import type { Exchange } from "../exchange.ts";

/** Something that has happened to the sign-ins of a person. */
export interface Activity {
  /** What has happened. */
  readonly kind: ActivityKind;
  /** Epoch seconds. */
  readonly at: number;
  /** The browser that it happened to; `null` where that is not known. */
  readonly device: Pick<Device, "name" | "network" | "userAgent"> | null;
  /** Whether it happened to the sign-in of this very request. */
  readonly isCurrent: boolean;
  /** To how many sign-ins it happened together. */
  readonly count: number;
  /**
   * What helps an operator to find it: the reference on the page that the person saw, or the first characters of the
   * session's id, as the audit has them; `null` where there is neither.
   */
  readonly reference: string | null;
}

const shownAtMost = 10;
/** Characters; the audit shortens ids of sessions to as many. */
const referenceLength = 8;

/** See `RequestAuth.activity`; an empty list where nobody is signed in. */
export async function listActivity(
  context: Context,
  exchange: Exchange,
): Promise<readonly Activity[] | null> {
  const { activity } = context;
  if (activity === null) return null;
  const owner = await ownerOf(context, exchange);
  if (owner === null) return [];
  const now = nowSeconds(context);
  const entries = await activity.list(owner.subTag);
  return entries
    .filter(({ at }) => at <= now)
    .slice(0, shownAtMost)
    .map((entry) => shown(entry, entries, owner.stored.header.id));
}

function shown(entry: ActivityEntry, entries: readonly ActivityEntry[], current: string): Activity {
  const { kind, at, sessions } = entry;
  const signIn = entries.find((each) => each.device !== undefined && sharesSession(each, entry));
  const device = sessions.length > 1 ? undefined : (entry.device ?? signIn?.device);
  const session = sessions[0] ?? signIn?.sessions[0];
  return {
    kind,
    at,
    device: device === undefined ? null : { name: "", network: null, ...deviceTraceIn(device) },
    isCurrent: session === current,
    count: Math.max(1, sessions.length),
    reference: entry.reference ?? session?.slice(0, referenceLength) ?? null,
  };
}
