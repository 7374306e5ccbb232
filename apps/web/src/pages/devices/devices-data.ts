import type { Activity, Device, Session } from "latchkey";

import { activityView } from "./activity/activity-view.ts";

import type { DeviceName } from "./device-name.ts";
import type {
  DeviceGroup,
  DevicesView,
  EndAllView,
  Ending,
  FlashMessage,
  ListedDevice,
} from "./devices-view.ts";
import { describeDevice } from "./device-name.ts";
import type { FlashFacts } from "./flash-cookie.ts";
import type { ListPlace } from "./list/list-place.ts";

/** Sign-ins on one page of the list. */
const perPage = 20;

/** From so many on, the list can be narrowed. */
const filterFrom = 10;

/** A device that was used so many seconds ago is active. */
const activeSeconds = 300;

/** What the list was asked for. */
export interface AskedList extends ListPlace {
  readonly flash: FlashFacts | undefined;
  /** Address of the module that counts down until a device is signed out. */
  readonly countdown: string;
  /** What has happened lately; `null` where nothing is kept. */
  readonly activity: readonly Activity[] | null;
  /** Epoch seconds. */
  readonly now: number;
}

/** What the page of signed-in devices shows; `devices` is `null` where there is no list. */
export function devicesView(
  devices: readonly Device[] | null,
  { times: { startedAt } }: Session,
  asked: AskedList,
): DevicesView {
  const { activity } = asked;
  const lately = activity === null ? {} : { activity: activityView(activity) };
  if (devices === null) return { kind: "only-here", startedAt, ...lately };
  const all = devices.map((device) => listed(device, asked.now));
  const found = all.filter((device) => isMatch(device, asked.filter));
  const pages = Math.max(1, Math.ceil(found.length / perPage));
  const page = Math.min(Math.max(1, asked.page), pages);
  const endings = endingsOf(devices, asked.now);
  const isLong = devices.length >= filterFrom || asked.filter !== "";
  return {
    kind: "list",
    groups: grouped(found.slice((page - 1) * perPage, page * perPage)),
    count: devices.length,
    page,
    pages,
    endings,
    ...(page === 1 && asked.filter === "" ? lately : {}),
    ...(endings.length === 0 ? {} : { countdown: asked.countdown }),
    ...(isLong ? { filter: asked.filter } : {}),
    flash: asked.flash === undefined ? undefined : flashOf(asked.flash, all),
  };
}

/** The ends that may be taken back here, those of one moment together. */
function endingsOf(devices: readonly Device[], now: number): readonly Ending[] {
  const undoable = devices.filter(({ ending }) => ending?.canUndo === true);
  const groups = Map.groupBy(undoable, ({ ending }) => ending?.at ?? 0);
  return [...groups].map(([at, group]) => ({
    at,
    devices: group.map((device) => listed(device, now)),
    ...lateUntil(group, now),
  }));
}

/** The message names a device of the list by its id: nothing that a cookie holds is quoted. */
function flashOf({ done, id }: FlashFacts, devices: readonly ListedDevice[]): FlashMessage {
  if (done !== "kept" && done !== "renamed") return { done };
  return { done, device: devices.find((each) => each.id === id) };
}

/** Every word must be in the names of the device. */
function isMatch({ given = "", browser = "", system = "" }: DeviceName, filter: string): boolean {
  const name = `${given} ${browser} ${system}`.toLowerCase();
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
    return [{ kind, system, devices: group }];
  });
}

/** What is asked before all sign-ins end; `devices` is `null` where there is no list. */
export function endAllView(devices: readonly Device[] | null, now: number): EndAllView {
  if (devices === null) return {};
  // "One, including this one" is nothing to say: then all are all.
  const count = devices.length === 1 ? {} : { count: devices.length };
  return { ...count, ...lateUntil(devices, now) };
}

/** Until when other services may go on accepting what these sign-ins were given. */
function lateUntil(devices: readonly Device[], now: number): { readonly lateUntil?: number } {
  const last = Math.max(0, ...devices.map(({ accessTokenEndsAt }) => accessTokenEndsAt ?? 0));
  return last > now ? { lateUntil: last } : {};
}

function listed(device: Device, now: number): ListedDevice {
  const { id, isCurrent, startedAt, lastUsedAt, endsAt, network } = device;
  return {
    id,
    isCurrent,
    startedAt,
    lastUsedAt,
    endsAt,
    isActive: isCurrent || now - lastUsedAt < activeSeconds,
    ...describeDevice(device),
    network,
    endingAt: device.ending?.at,
  };
}
