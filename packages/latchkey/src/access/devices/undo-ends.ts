import type { Context } from "../../context.ts";
import type { FoundSession } from "../../session/user-sessions.ts";
import type { Exchange } from "../exchange.ts";
import { type Device, deviceOf } from "./list-devices.ts";
import { changeableSessions, type Owner, ownerOf } from "./owner.ts";

/** See `RequestAuth.undoEnds`. */
export async function undoEnds(
  context: Context,
  exchange: Exchange,
  ids?: readonly string[],
): Promise<readonly Device[] | null> {
  if (context.userSessions === null) return null;
  const owner = await ownerOf(context, exchange);
  if (owner === null) return [];
  const found = await changeableSessions(owner);
  const meant = found.filter(({ stored }) => ids?.includes(stored.header.id) ?? true);
  const taken = await Promise.all(meant.map((each) => undoOne(owner, each)));
  return taken.flat();
}

async function undoOne(owner: Owner, found: FoundSession): Promise<readonly Device[]> {
  const { context } = owner;
  const { laterEnd, stored } = found;
  const { id } = stored.header;
  if (laterEnd === null || laterEnd.by !== owner.stored.header.id) return [];
  if ((await context.ended?.takeBack(id, laterEnd)) !== true) return [];
  context.log({ event: "sign-out-undone", sub: stored.data.user.sub, session: id });
  return [deviceOf(owner, { ...found, laterEnd: null })];
}
