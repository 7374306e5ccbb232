import type { Context } from "../../context.ts";
import type { Exchange } from "../exchange.ts";
import { type Device, deviceOf } from "./device.ts";
import { activeSessions, ownerOf } from "./owner.ts";

/**
 * Where the user of this request is signed in: this browser first, then by last use.
 *
 * @returns an empty list where nobody is signed in; `null` where sessions live in cookies: then there is no list
 * @throws {Refusal} `store_unavailable`
 */
export async function listDevices(
  context: Context,
  exchange: Exchange,
): Promise<readonly Device[] | null> {
  const { userSessions } = context;
  if (userSessions === null) return null;
  const owner = await ownerOf(context, exchange);
  if (owner === null) return [];
  const found = await activeSessions(owner, userSessions);
  return found.map((each) => deviceOf(owner, each));
}
