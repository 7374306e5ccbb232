import type { Device, Session } from "latchkey";

import type { DevicesView, EndDevicesView, ListedDevice, FlashMessage } from "./devices-view.ts";
import { deviceName } from "./device-name.ts";

/** Sign-ins on one page of the list. */
const perPage = 20;

/** What the page of signed-in devices shows; `devices` is `null` where there is no list. */
export function devicesView(
  devices: readonly Device[] | null,
  { times: { startedAt, endsAt } }: Session,
  asked: { readonly page: number; readonly flash: FlashMessage | undefined },
): DevicesView {
  if (devices === null) return { kind: "only-here", startedAt, endsAt };
  const pages = Math.max(1, Math.ceil(devices.length / perPage));
  const page = Math.min(Math.max(1, asked.page), pages);
  return {
    kind: "list",
    devices: devices.slice((page - 1) * perPage, page * perPage).map(listed),
    count: devices.length,
    page,
    pages,
    ...(asked.flash === undefined ? {} : { flash: asked.flash }),
  };
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

function listed(device: Device): ListedDevice {
  const { id, isCurrent, startedAt, lastUsedAt, endsAt, userAgent } = device;
  return { id, isCurrent, startedAt, lastUsedAt, endsAt, ...deviceName(userAgent) };
}
