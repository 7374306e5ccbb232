import type { Device, Session } from "latchkey";

import type {
  DeviceGroup,
  DevicesView,
  EndDevicesView,
  FlashMessage,
  ListedDevice,
} from "./devices-view.ts";
import { deviceKind, deviceName } from "./device-name.ts";

/** Sign-ins on one page of the list. */
const perPage = 20;

/** From so many on, the list can be narrowed. */
const filterFrom = 10;
const filterLimit = 100;

/** A device that was used so many seconds ago is active. */
const activeSeconds = 300;

/** What the list was asked for. */
export interface AskedList {
  /** From 1; whatever was asked for. */
  readonly page: number;
  /** Words that the names of devices must hold. */
  readonly filter: string;
  readonly flash: FlashMessage | undefined;
  /** Epoch seconds. */
  readonly now: number;
}

/** What the page of signed-in devices shows; `devices` is `null` where there is no list. */
export function devicesView(
  devices: readonly Device[] | null,
  { times: { startedAt, endsAt } }: Session,
  asked: AskedList,
): DevicesView {
  if (devices === null) return { kind: "only-here", startedAt, endsAt };
  const found = devices
    .map((device) => listed(device, asked.now))
    .filter((device) => isMatch(device, asked.filter));
  const pages = Math.max(1, Math.ceil(found.length / perPage));
  const page = Math.min(Math.max(1, asked.page), pages);
  const isLong = devices.length >= filterFrom || asked.filter !== "";
  return {
    kind: "list",
    groups: grouped(found.slice((page - 1) * perPage, page * perPage)),
    count: devices.length,
    page,
    pages,
    ...(isLong ? { filter: asked.filter } : {}),
    ...(asked.flash === undefined ? {} : { flash: asked.flash }),
  };
}

/** Every word must be in the names of browser and system. */
function isMatch({ browser = "", system = "" }: ListedDevice, filter: string): boolean {
  const name = `${browser} ${system}`.toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => name.includes(word));
}

/** Devices of one kind and system stand together, where the first of them stood. */
function grouped(devices: readonly ListedDevice[]): readonly DeviceGroup[] {
  const groups = Map.groupBy(devices, ({ kind, system = "" }) => `${kind} ${system}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { kind, system } = first;
    return [{ kind, ...(system === undefined ? {} : { system }), devices: group }];
  });
}

/** What a list is to be narrowed to; empty where nothing was asked for. */
export function filterAsked(url: string): string {
  return (new URL(url).searchParams.get("find") ?? "").trim().slice(0, filterLimit);
}

/** Which page is asked for; the first where that is no number. */
export function pageAsked(url: string): number {
  const page = Number(new URL(url).searchParams.get("page"));
  return Number.isSafeInteger(page) ? page : 1;
}

/** What is asked before many sign-ins end. */
export function endDevicesView(
  which: EndDevicesView["which"],
  devices: readonly Device[] | null,
  now: number,
): EndDevicesView {
  if (devices === null) return { which };
  const ending = which === "all" ? devices : devices.filter(({ isCurrent }) => !isCurrent);
  // "One, including this one" is nothing to say: then all are all.
  const count = which === "all" && ending.length === 1 ? {} : { count: ending.length };
  return { which, ...count, ...lateUntil(ending, now) };
}

/** Until when other services may go on accepting what these sign-ins were given. */
export function lateUntil(
  devices: readonly Device[],
  now: number,
): { readonly lateUntil?: number } {
  const last = Math.max(0, ...devices.map(({ accessTokenEndsAt }) => accessTokenEndsAt ?? 0));
  return last > now ? { lateUntil: last } : {};
}

function listed(device: Device, now: number): ListedDevice {
  const { id, isCurrent, startedAt, lastUsedAt, endsAt, userAgent } = device;
  return {
    id,
    isCurrent,
    startedAt,
    lastUsedAt,
    endsAt,
    isActive: isCurrent || now - lastUsedAt < activeSeconds,
    kind: deviceKind(userAgent),
    ...deviceName(userAgent),
  };
}
