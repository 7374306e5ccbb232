import type { Context } from "../../context.ts";
import type { Exchange } from "../exchange.ts";
import { type Device, deviceOf } from "./device.ts";
import { activeSessions, ownerOf } from "./owner.ts";

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
