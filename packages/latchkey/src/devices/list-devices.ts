import type { Context } from "../context.ts";
import { nowSeconds } from "../config/runtime.ts";
import { deviceTraceIn } from "../session/device-trace.ts";
import { renewedTimes, timesOf } from "../session/lifetime.ts";
import type { SessionInStore } from "../session/user-sessions.ts";
import type { Exchange } from "../request/exchange.ts";
import { activeSessions, isCurrent, type Owner, ownerOf } from "./owner.ts";

/** A browser in which a person is signed in; all times in epoch seconds. */
export interface Device {
  /** Names this sign-in; no secret, and good for nothing but to end or rename it. */
  readonly id: string;
  /** The id of the connection of its sign-in. */
  readonly connection: string;
  /** Whether this very request comes from it. */
  readonly isCurrent: boolean;
  /** When its sign-in was started. */
  readonly startedAt: number;
  /** When a request last used it; of another device up to an hour earlier (decision 0129). */
  readonly lastUsedAt: number;
  /** Ends then without further use; see {@link lastUsedAt}. */
  readonly endsAt: number;
  /**
   * As the browser called itself at sign-in; empty if it did not. A client can send anything here.
   */
  readonly userAgent: string;
  /** The name given by the user; empty without one. */
  readonly name: string;
  /** The network of the sign-in, e.g. `203.0.113.…`; `null` if `session.networkFrom` is not set. */
  readonly network: string | null;
  /** Whether a copy of its cookie is worth nothing: see `session.deviceBound`. */
  readonly isDeviceBound: boolean;
  /** Until then other services may accept its access token; `null` without one. */
  readonly accessTokenEndsAt: number | null;
}

/** See `RequestAuth.devices`; an empty list without a signed-in user. */
export async function listDevices(
  context: Context,
  exchange: Exchange,
): Promise<readonly Device[] | null> {
  if (context.sessions.ofUsers === null) return null;
  const owner = await ownerOf(context, exchange);
  if (owner === null) return [];
  const found = await activeSessions(owner);
  return found.map((each) => deviceOf(owner, each));
}

/** This request is a use of its own session, which is written when the response leaves. */
export function deviceOf(owner: Owner, found: SessionInStore): Device {
  const { header, data } = found.stored;
  const { id: connection, lifetime } = owner.context.connections.ofSession(header);
  const isOwn = isCurrent(owner, found);
  const { userAgent, name = "", network = null } = deviceTraceIn(data.device);
  const times = isOwn ? renewedTimes(header, lifetime, nowSeconds(owner.context)) : header;
  const { startedAt, updatedAt, endsAt } = timesOf({ ...header, ...times }, lifetime);
  return {
    id: header.id,
    connection,
    isCurrent: isOwn,
    startedAt,
    lastUsedAt: updatedAt,
    endsAt,
    userAgent,
    name,
    network,
    isDeviceBound:
      owner.context.reader.device?.isEnforced === true && header.deviceKey !== undefined,
    accessTokenEndsAt: data.accessTokenExpiresAt ?? null,
  };
}
