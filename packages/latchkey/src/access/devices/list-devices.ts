import { type Context, nowSeconds } from "../../context.ts";
import { deviceTraceIn } from "../../session/device.ts";
import { renewedTimes, timesOf } from "../../session/lifetime.ts";
import type { FoundSession } from "../../session/user-sessions.ts";
import type { Exchange } from "../exchange.ts";
import { activeSessions, isCurrent, type Owner, ownerOf } from "./owner.ts";

/** A browser in which a person is signed in; all times in epoch seconds. */
export interface Device {
  /** Names this sign-in; no secret, and good for nothing but to end or rename it. */
  readonly id: string;
  /** Whether this very request comes from it. */
  readonly isCurrent: boolean;
  /** When its sign-in was started. */
  readonly startedAt: number;
  /** When it last made a request that renewed its session. */
  readonly lastUsedAt: number;
  /** Ends then without further use. */
  readonly endsAt: number;
  /** As the browser called itself at sign-in; empty where it did not. A client can send anything here. */
  readonly userAgent: string;
  /** As the person calls it; empty where they gave it no name. */
  readonly name: string;
  /** The network that the sign-in came from, e.g. `203.0.113.…`; `null` where `session.networkFrom` is not set. */
  readonly network: string | null;
  /** Until then other services may accept the access token that it was given; `null` where there is none. */
  readonly accessTokenEndsAt: number | null;
  /** Its end, where the person has asked for a later one; `null` else. */
  readonly ending: DeviceEnding | null;
}

/** The end of a device that has not come. */
export interface DeviceEnding {
  /** When the device is signed out, in epoch seconds. */
  readonly at: number;
  /** Whether this request comes from the device that has asked for it: that one alone may take it back. */
  readonly canUndo: boolean;
}

/** See `RequestAuth.devices`; an empty list where nobody is signed in. */
export async function listDevices(
  context: Context,
  exchange: Exchange,
): Promise<readonly Device[] | null> {
  if (context.userSessions === null) return null;
  const owner = await ownerOf(context, exchange);
  if (owner === null) return [];
  const found = await activeSessions(owner);
  return found.map((each) => deviceOf(owner, each));
}

/** This request is a use of its own session, which is written when the response leaves. */
export function deviceOf(owner: Owner, found: FoundSession): Device {
  const { stored, laterEnd } = found;
  const { header, data } = stored;
  const { lifetime } = owner.context.config.session;
  const isOwn = isCurrent(owner, found);
  const { userAgent, name = "", network = null } = deviceTraceIn(data.device);
  const times = isOwn ? renewedTimes(header, lifetime, nowSeconds(owner.context)) : header;
  const { startedAt, updatedAt, endsAt } = timesOf({ ...header, ...times }, lifetime);
  return {
    id: header.id,
    isCurrent: isOwn,
    startedAt,
    lastUsedAt: updatedAt,
    endsAt,
    userAgent,
    name,
    network,
    accessTokenEndsAt: data.accessTokenExpiresAt ?? null,
    ending: laterEnd && { at: laterEnd.at, canUndo: laterEnd.by === owner.stored.header.id },
  };
}
