import type {
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
import { endOthersPage } from "../pages/devices/end-others-screen.tsx";
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

const current: readonly ListedDevice[] = [
  device(0, { browser: "Firefox", system: "Windows PC" }),
  device(5, { browser: "Edge", system: "Windows PC" }),
];

/** Named by their person, and with networks: what only some lists have. */
const named: readonly ListedDevice[] = (
  [
    { browser: "Safari", given: "Work phone", network: "203.0.113.…" },
    { browser: "Chrome", given: "هاتف العمل", network: "2001:db8:1:…" },
    { browser: "Firefox", given: "<b>Ada</b> & 👩‍👩‍👧‍👦 ".padEnd(60, "long ") },
  ] as const
).map((each, place) => device(place + 1, { ...each, kind: "phone", system: "iPhone" }));

const several: readonly ListedDevice[] = [
  ...current,
  device(1, { kind: "phone", browser: "Samsung Internet", system: "Android" }),
  device(2, {
    kind: "tablet",
    browser: "Safari",
    system: "iPad",
    startedAt: galleryNow - day,
  }),
  device(3, { system: "Linux" }),
  device(4, { kind: "terminal" }),
];

const labels = ["Acme Corporation", "Google"];

type ListView = Extract<DevicesView, { kind: "list" }>;

function listOf(change: Partial<ListView>): ListView {
  return {
    kind: "list",
    devices: several,
    count: 6,
    changedAt: galleryNow - 3 * hour,
    page: 1,
    pages: 1,
    ...change,
  };
}

function listState(name: string, change: Partial<ListView>): GalleryState {
  return {
    id: `devices-${name}`,
    title: `Signed-in devices: ${name}`,
    page: devicesPage(listOf(change), ada),
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
    [
      "signed-out-elsewhere",
      { isByCurrent: true, device: { browser: "Chrome", system: "Android" } },
    ],
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
    [
      "signed-out-unproved",
      { device: { browser: "Edge", system: "Windows PC" }, reference: "V4TN-J7QC" },
    ],
  ] as const
).map(([kind, more], place) => ({
  kind,
  at: galleryNow - place * 7 * hour,
  count: 1,
  isByCurrent: false,
  isCurrent: false,
  reference: null,
  ...more,
}));

const phone = { browser: "Chrome", system: "Android" } as const;

const asked: NewSignIn = {
  id: "device-9",
  at: galleryNow - 20 * 60,
  device: phone,
  more: 0,
  from: "/account",
};

/** The question about a new sign-in, below the strip. */
function newSignInStates(): readonly GalleryState[] {
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
  const many = Array.from({ length: 30 }, (_, place) =>
    device(place, { browser: "Chrome", system: "Android", kind: "phone", twin: place + 1 }),
  );
  const thirty = { count: 30, pages: 2, filter: "" } as const;
  return [
    {
      id: "devices",
      title: "Signed-in devices: no list",
      page: devicesPage({ kind: "only-here", startedAt }, ada),
    },
    listState("several-ways", {
      devices: several.map((each, place) => ({ ...each, label: labels[place % 2] })),
      activity: activity.map((each, place) => ({ ...each, label: labels[place % 2] })),
    }),
    listState("several", {}),
    listState("one", { devices: current.slice(0, 1), count: 1 }),
    listState("many", { ...thirty, devices: many.slice(0, 20), page: 1 }),
    listState("many-rest", { ...thirty, devices: many.slice(20), page: 2 }),
    listState("found", { devices: current, count: 47, filter: "windows" }),
    listState("not-found", { devices: [], count: 47, filter: "<b>X</b>" }),
    ...Object.entries(flashes).map(([name, flash]) => listState(name, { flash })),
    listState("named", { devices: [...current, ...named] }),
    listState("bound", {
      devices: several.map((each, place) => ({ ...each, isDeviceBound: place % 2 === 0 })),
    }),
    listState("activity", { devices: current, count: 2, activity }),
    listState("activity-none", { devices: current, count: 2, activity: [] }),
    ...newSignInStates(),
    {
      id: "new-sign-in-devices",
      title: "A new sign-in on another device: in the list",
      page: { ...devicesPage(listOf({ activity }), ada), newSignIn: asked },
    },
    {
      id: "devices-end-others",
      title: "Signed-in devices, before all others end",
      page: endOthersPage({ count: 5, lateUntil }, ada),
    },
    endAllState("all", { count: 6, lateUntil, leadsToProvider: true }),
    endAllState("all-unknown", { leadsToProvider: false }),
  ];
}
