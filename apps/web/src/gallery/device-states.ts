import type {
  DevicesView,
  EndDevicesView,
  ListedDevice,
  FlashMessage,
} from "../pages/devices/devices-view.ts";
import { devicesPage } from "../pages/devices/devices-screen.tsx";
import { endDevicesPage } from "../pages/devices/end-devices-screen.tsx";
import type { GalleryState } from "./gallery-state.ts";
import { ada, galleryNow } from "./people.ts";

const hour = 3600;
const day = 86_400;

function device(place: number, change: Partial<ListedDevice>): ListedDevice {
  return {
    id: `device-${place}`,
    isCurrent: place === 0,
    startedAt: galleryNow - 3 * day - place * 5 * hour,
    lastUsedAt: galleryNow - place * 2 * hour,
    endsAt: galleryNow + day - (place % 10) * 2 * hour,
    ...change,
  };
}

const devices: readonly ListedDevice[] = [
  device(0, { browser: "Firefox", system: "Windows" }),
  device(1, { browser: "Samsung Internet", system: "Android" }),
  device(2, { browser: "Safari", system: "iOS", startedAt: galleryNow - day }),
  device(3, { system: "Linux" }),
  device(4, {}),
];

function listState(
  name: string,
  change: Partial<Extract<DevicesView, { kind: "list" }>>,
): GalleryState {
  const view = {
    kind: "list",
    devices,
    count: devices.length,
    page: 1,
    pages: 1,
    ...change,
  } as const;
  return {
    id: `devices-${name}`,
    title: `Signed-in devices: ${name}`,
    page: devicesPage(view, ada),
  };
}

function endState(name: string, view: EndDevicesView): GalleryState {
  return {
    id: `devices-end-${name}`,
    title: `Signed-in devices, before many end: ${name}`,
    page: endDevicesPage(view, ada),
  };
}

/** Where a person is signed in, in every state. */
export function deviceStates(): readonly GalleryState[] {
  const { startedAt, endsAt } = ada.times;
  const lateUntil = galleryNow + hour;
  const flashes: Readonly<Record<string, FlashMessage>> = {
    "one-ended": { done: "one", device: { browser: "Firefox", system: "Linux" } },
    "one-ended-late": { done: "one", device: { browser: "Firefox", system: "Linux" }, lateUntil },
    "unknown-ended": { done: "one", device: {} },
    "others-ended": { done: "others", lateUntil },
    gone: { done: "gone" },
    failed: { done: "failed" },
  };
  const many = Array.from({ length: 20 }, (_, place) =>
    device(place + 20, { browser: "Chrome", system: "macOS" }),
  );
  return [
    {
      id: "devices",
      title: "Signed-in devices: no list",
      page: devicesPage({ kind: "only-here", startedAt, endsAt }, ada),
    },
    listState("several", {}),
    listState("one", { devices: devices.slice(0, 1), count: 1 }),
    listState("many", { devices: many, count: 47, page: 2, pages: 3 }),
    ...Object.entries(flashes).map(([name, flash]) => listState(name, { flash })),
    endState("others", { which: "others", count: 4, lateUntil }),
    endState("all", { which: "all", count: 5, lateUntil }),
    endState("all-unknown", { which: "all" }),
  ];
}
