import type { Context } from "../context.ts";
import {
  cleanDeviceName,
  deviceNameLimit,
  deviceTraceIn,
  withDeviceName,
} from "../session/device-trace.ts";
import type { SessionContent } from "../session/seal.ts";
import type { SessionData } from "../session/session.ts";
import type { SessionInStore } from "../session/user-sessions.ts";
import type { Exchange } from "../request/exchange.ts";
import { beforeSave } from "../request/hooks.ts";
import { saveSession } from "../request/save-session.ts";
import { type Device, deviceOf } from "./list-devices.ts";
import { activeSessions, isCurrent, type Owner, ownerOf } from "./owner.ts";

/** See `RequestAuth.renameDevice`. */
export async function renameDevice(
  context: Context,
  exchange: Exchange,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<Device | null> {
  const clean = checkedName(name);
  exchange.checkOpen();
  const owner = await ownerOf(context, exchange);
  if (owner === null) return null;
  const found = await activeSessions(owner);
  const meant = found.find(({ stored }) => stored.header.id === id);
  if (meant === undefined) return null;
  const renamed = await rename(owner, meant, clean);
  const { subTag } = owner;
  context.onUserEvent({ event: "device-renamed", subTag, session: id, name: clean });
  return renamed && deviceOf(owner, renamed);
}

function checkedName(name: string): string {
  // A far too long text is refused first: normalizing many accents would take seconds.
  const clean = name.length > 20 * deviceNameLimit ? name : cleanDeviceName(name);
  if (clean.length <= deviceNameLimit) return clean;
  throw new RangeError(`The name of a device has at most ${deviceNameLimit} characters.`);
}

/**
 * The session of this request is changed as its own changes are: what it brings to the browser must
 * be the newest.
 */
async function rename(
  owner: Owner,
  found: SessionInStore,
  name: string,
): Promise<SessionInStore | null> {
  const { context, exchange } = owner;
  const named = (data: SessionData): SessionData => ({
    ...data,
    device: withDeviceName(deviceTraceIn(data.device), name),
  });
  if (isCurrent(owner, found)) {
    const stored = await saveSession(context, exchange, named);
    return stored && { ...found, stored };
  }
  const change = async ({ header, data }: SessionContent) => ({
    header,
    data: await beforeSave(context, named(data)),
  });
  return (await context.sessions.ofUsers?.change(found, change)) ?? null;
}
