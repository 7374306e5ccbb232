import type {
  DeviceGroup,
  DevicesView,
  EndAllView,
  FlashMessage,
  ListedDevice,
} from "../pages/devices/devices-view.ts";
import type { ShownActivity } from "../pages/devices/activity/activity-view.ts";
import { accountView } from "../pages/account/account-data.ts";
import { accountPage } from "../pages/account/account-screen.tsx";
import type { NewSignIn } from "../components/page-frame.tsx";
import { devicesPage } from "../pages/devices/devices-screen.tsx";
import { endAllPage } from "../pages/devices/end-all-screen.tsx";
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
  return { kind, system, devices: devices.map((each) => ({ ...each, kind, system })) };
}

const current = group({ kind: "laptop", system: "Windows PC" }, [
  device(0, { browser: "Firefox" }),
  device(5, { browser: "Edge" }),
]);

/** Named by their person, and with networks: what only some lists have. */
const named = group({ kind: "phone", system: "iPhone" }, [
  device(1, { browser: "Safari", given: "Work phone", network: "203.0.113.…" }),
  device(2, { browser: "Chrome", given: "هاتف العمل", network: "2001:db8:1:…" }),
  device(3, { browser: "Firefox", given: "<b>Ada</b> & 👩‍👩‍👧‍👦 ".padEnd(60, "long ") }),
]);

const groups: readonly DeviceGroup[] = [
  current,
  group({ kind: "phone", system: "Android" }, [device(1, { browser: "Samsung Internet" })]),
  group({ kind: "tablet", system: "iPad" }, [
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

function endAllState(name: string, view: EndAllView): GalleryState {
  return {
    id: `devices-end-${name}`,
    title: `Signed-in devices, before all end: ${name}`,
    page: endAllPage(view, ada),
  };
}

/** Every kind of activity, on devices with every kind of name. */
const activity: readonly ShownActivity[] = (
  [
    ["signed-in", { isCurrent: true, device: { browser: "Firefox", system: "Windows PC" } }],
    ["signed-out-elsewhere", { device: { given: "هاتف العمل" }, network: "203.0.113.…" }],
    ["signed-out-others", { count: 4 }],
    [
      "sign-in-refused",
      { device: { browser: "Edge", system: "Windows PC" }, reference: "7F3K-92QD" },
    ],
    ["expired", { device: { system: "Linux" } }],
    ["signed-out", { device: { given: "<b>Ada</b> & 👩‍👩‍👧‍👦 ".padEnd(60, "long ") } }],
    ["signed-out-by-provider", { reference: "K2WD-8HQ4" }],
    ["signed-out-by-operator", { reference: "PX7T-M3VA" }],
    ["signed-out-everywhere", {}],
    [
      "refresh-refused",
      { device: { browser: "Safari", system: "iPhone" }, reference: "9CRB-6NZE" },
    ],
    ["signed-out-by-app", { device: {} }],
  ] as const
).map(([kind, more], place) => ({
  kind,
  at: galleryNow - place * 7 * hour,
  count: 1,
  isCurrent: false,
  reference: null,
  ...more,
}));

const phone = { browser: "Chrome", system: "Android" } as const;

/** The question about a new sign-in, below the strip. */
function newSignInStates(): readonly GalleryState[] {
  const asked: NewSignIn = {
    id: "device-9",
    at: galleryNow - 20 * 60,
    device: phone,
    more: 0,
    from: "/account",
  };
  const states: Readonly<Record<string, Partial<NewSignIn>>> = {
    one: {},
    more: { more: 2, at: galleryNow - day },
    unknown: { device: { kind: "terminal" } },
    "long-name": { device: { given: "<b>Ada</b> & 👩‍👩‍👧‍👦 ".padEnd(60, "long ") }, more: 12 },
    "endless-name": { device: { given: "x".repeat(200) } },
    "right-to-left": { device: { given: "هاتف العمل" } },
  };
  return Object.entries(states).map(([name, change]) => ({
    id: `new-sign-in-${name}`,
    title: `A new sign-in on another device: ${name}`,
    page: { ...accountPage(accountView(ada, galleryNow), ada), newSignIn: { ...asked, ...change } },
  }));
}

/** The pages of signed-in devices, in every state. */
export function deviceStates(): readonly GalleryState[] {
  const { startedAt } = ada.times;
  const lateUntil = galleryNow + hour;
  const flashes: Readonly<Record<string, FlashMessage>> = {
    ended: { done: "ended", count: 1, device: { browser: "Firefox", system: "Linux" }, lateUntil },
    "ended-several": { done: "ended", count: 4 },
    renamed: { done: "renamed", device: { given: "هاتف العمل" } },
    "name-too-long": { done: "name-too-long" },
    gone: { done: "gone" },
    failed: { done: "failed" },
    "not-you": { done: "ended", count: 1, device: phone, isUnknown: true },
    "not-you-gone": { done: "gone", isUnknown: true },
  };
  const many = Array.from({ length: 30 }, (_, place) => device(place, { browser: "Chrome" }));
  const thirty = { count: 30, pages: 2, filter: "" } as const;
  const firstTwenty = [
    group({ kind: "laptop", system: "Mac" }, many.slice(0, 14)),
    group({ kind: "phone", system: "iPhone" }, many.slice(14, 20)),
  ];
  const lastTen = [group({ kind: "phone", system: "Android" }, many.slice(20))];
  return [
    {
      id: "devices",
      title: "Signed-in devices: no list",
      page: devicesPage({ kind: "only-here", startedAt }, ada),
    },
    listState("several", {}),
    listState("one", { groups: [{ ...current, devices: current.devices.slice(0, 1) }], count: 1 }),
    listState("many", { ...thirty, groups: firstTwenty, page: 1 }),
    listState("many-rest", { ...thirty, groups: lastTen, page: 2 }),
    listState("found", { groups: [current], count: 47, filter: "windows" }),
    listState("not-found", { groups: [], count: 47, filter: "<b>X</b>" }),
    ...Object.entries(flashes).map(([name, flash]) => listState(name, { flash })),
    listState("named", { groups: [current, named] }),
    listState("activity", { groups: [current], count: 2, activity }),
    listState("activity-none", { groups: [current], count: 2, activity: [] }),
    ...newSignInStates(),
    endAllState("all", { count: 6, lateUntil, leadsToProvider: true }),
    endAllState("all-unknown", { leadsToProvider: false }),
  ];
}
