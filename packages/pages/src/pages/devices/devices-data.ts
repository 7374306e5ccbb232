import { referenceOf } from "latchkey";
import type { Activity, Config, Device, Session } from "latchkey";

import { activityView } from "./activity/activity-view.ts";
import type { DeviceName } from "../../components/device-name.ts";
import type {
  DevicesView,
  EndAllView,
  EndOthersView,
  FlashMessage,
  ListedDevice,
} from "./devices-view.ts";
import { describeDevice } from "../../components/device-name.ts";
import type { RenderContext } from "../../rendering/render-context.ts";
import type { FlashFacts } from "./flash-cookie.ts";
import type { ListPlace } from "./list/list-place.ts";

/** Sign-ins on one page of the list. */
const perPage = 20;

/** From so many on, the list can be narrowed. */
const filterFrom = 10;

/** A device in use within these seconds is active. */
const activeSeconds = 60;

/** The request for the list. */
export interface ListRequest extends ListPlace {
  readonly flash: FlashFacts | undefined;
  /** Recent activity; `null` if the app keeps none. */
  readonly activity: readonly Activity[] | null;
  readonly labelOf?: RenderContext["labelOf"];
  /** Epoch seconds. */
  readonly now: number;
}

/** The view of the page of signed-in devices; `devices` is `null` if there is no list. */
export function devicesView(
  devices: readonly Device[] | null,
  { times: { startedAt } }: Session,
  request: ListRequest,
): DevicesView {
  const { activity, labelOf, now } = request;
  const lately = activity === null ? {} : { activity: activityView(activity, labelOf) };
  if (devices === null) return { kind: "only-here", startedAt, ...lately };
  const all = withTwins(
    devices.map((device) => ({ ...toListed(device, now), label: labelOf?.(device.connection) })),
  );
  const found = all.filter((device) => isMatch(device, request.filter));
  const pages = Math.max(1, Math.ceil(found.length / perPage));
  const page = Math.min(Math.max(1, request.page), pages);
  const isLong = devices.length >= filterFrom || request.filter !== "";
  return {
    kind: "list",
    devices: found.slice((page - 1) * perPage, page * perPage),
    count: devices.length,
    changedAt: Math.max(activity?.[0]?.at ?? 0, ...devices.map((device) => device.startedAt)),
    page,
    pages,
    ...(page === 1 && request.filter === "" ? lately : {}),
    ...(isLong ? { filter: request.filter } : {}),
    flash: request.flash && {
      ...flashOf(request.flash, all, request),
      isUnknown: request.flash.isUnknown,
    },
  };
}

/** Names a device of the list or of its activity by an id: no text of the cookie is shown. */
function flashOf(
  { done, id, count = 1, lateUntil: late = 0 }: FlashFacts,
  devices: readonly ListedDevice[],
  { activity, now }: ListRequest,
): FlashMessage {
  switch (done) {
    case "ended": {
      const own = id === undefined ? undefined : referenceOf(id);
      const device = activity?.find(({ reference }) => reference === own)?.device;
      return {
        done,
        count,
        device: device == null ? undefined : describeDevice(device),
        ...(late > now ? { lateUntil: late } : {}),
      };
    }
    case "renamed":
      return { done, device: devices.find((each) => each.id === id) };
    default:
      return { done };
  }
}

/** Every word must be in the names of the device. */
function isMatch({ given = "", browser = "", system = "" }: DeviceName, filter: string): boolean {
  const name = `${given} ${browser} ${system}`.toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => name.includes(word));
}

/** Numbers the devices of one name: a screen reader reads it with every button. */
function withTwins(devices: readonly ListedDevice[]): readonly ListedDevice[] {
  const seen = new Map<string, number>();
  return devices.map((device) => {
    const { given, browser, system, kind } = device;
    const key = given ?? JSON.stringify([browser, system, kind]);
    const place = (seen.get(key) ?? 0) + 1;
    seen.set(key, place);
    return place === 1 ? device : { ...device, twin: place };
  });
}

/**
 * The view of the question before all other sign-ins end; `null` if there is none, or no list of
 * them.
 */
export function endOthersView(
  devices: readonly Device[] | null,
  now: number,
): EndOthersView | null {
  const others = devices?.filter(({ isCurrent }) => !isCurrent) ?? [];
  return others.length === 0 ? null : { count: others.length, ...lateUntil(others, now) };
}

/** The view of the question before all sign-ins end; `devices` is `null` if there is no list. */
export function endAllView(
  devices: readonly Device[] | null,
  { times }: Session,
  { idpLogout, now }: Pick<Config, "idpLogout"> & { readonly now: number },
): EndAllView {
  const leadsToProvider = idpLogout || times.shared === true;
  if (devices === null) return { leadsToProvider };
  // "One, including this one" is nothing to say: then all are all.
  const count = devices.length === 1 ? {} : { count: devices.length };
  return { ...count, ...lateUntil(devices, now), leadsToProvider };
}

/** Until when other services may go on accepting what these sign-ins were given. */
export function lateUntil(
  devices: readonly Device[],
  now: number,
): { readonly lateUntil?: number } {
  const last = Math.max(0, ...devices.map(({ accessTokenEndsAt }) => accessTokenEndsAt ?? 0));
  return last > now ? { lateUntil: last } : {};
}

function toListed(device: Device, now: number): ListedDevice {
  const { id, isCurrent, isDeviceBound, startedAt, lastUsedAt, endsAt, network } = device;
  return {
    id,
    isCurrent,
    isDeviceBound,
    startedAt,
    lastUsedAt,
    endsAt,
    isActive: isCurrent || now - lastUsedAt < activeSeconds,
    ...describeDevice(device),
    network,
  };
}
