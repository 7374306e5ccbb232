import type {
  DeviceGroup,
  DevicesView,
  EndDevicesView,
  FlashMessage,
  ListedDevice,
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
    kind: "laptop",
    isCurrent: place === 0,
    isActive: place < 2,
    startedAt: galleryNow - 3 * day - place * 5 * hour,
    lastUsedAt: galleryNow - place * 2 * hour,
    endsAt: galleryNow + day - (place % 10) * 2 * hour,
    ...change,
  };
}

function group(
  { kind, system }: Pick<DeviceGroup, "kind" | "system">,
  devices: readonly ListedDevice[],
): DeviceGroup {
  const named = system === undefined ? {} : { system };
  return { kind, ...named, devices: devices.map((each) => ({ ...each, kind, ...named })) };
}

const current = group({ kind: "laptop", system: "Windows" }, [
  device(0, { browser: "Firefox" }),
  device(5, { browser: "Edge" }),
]);

const groups: readonly DeviceGroup[] = [
  current,
  group({ kind: "phone", system: "Android" }, [device(1, { browser: "Samsung Internet" })]),
  group({ kind: "tablet", system: "iOS" }, [
    device(2, { browser: "Safari", startedAt: galleryNow - day }),
  ]),
  group({ kind: "laptop", system: "Linux" }, [device(3, {})]),
  group({ kind: "terminal" }, [device(4, {})]),
];

function listState(
  name: string,
  change: Partial<Extract<DevicesView, { kind: "list" }>>,
): GalleryState {
  const view = {
    kind: "list",
    groups,
    count: 6,
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
  const many = Array.from({ length: 30 }, (_, place) => device(place, { browser: "Chrome" }));
  const thirty = [
    group({ kind: "laptop", system: "macOS" }, many.slice(0, 14)),
    group({ kind: "phone", system: "iOS" }, many.slice(14, 20)),
  ];
  return [
    {
      id: "devices",
      title: "Signed-in devices: no list",
      page: devicesPage({ kind: "only-here", startedAt, endsAt }, ada),
    },
    listState("several", {}),
    listState("one", { groups: [{ ...current, devices: current.devices.slice(0, 1) }], count: 1 }),
    listState("many", { groups: thirty, count: 47, page: 2, pages: 3, filter: "" }),
    listState("found", { groups: [current], count: 47, filter: "windows" }),
    listState("not-found", { groups: [], count: 47, filter: "<b>X</b>" }),
    ...Object.entries(flashes).map(([name, flash]) => listState(name, { flash })),
    endState("others", { which: "others", count: 5, lateUntil }),
    endState("all", { which: "all", count: 6, lateUntil }),
    endState("all-unknown", { which: "all" }),
  ];
}
