import { keepLatest } from "../../messages/keep-latest.ts";

/** What a browser and its system are called; absent where they could not be found out. */
export interface DeviceName {
  /** As its person calls it. */
  readonly given?: string | undefined;
  readonly browser?: string | undefined;
  readonly system?: string | undefined;
  readonly kind?: DeviceKind;
}

/** What sort of thing a device is; `terminal` is whatever is no browser. */
export type DeviceKind = "phone" | "tablet" | "laptop" | "terminal";

/** Most browsers claim to be others as well: the first whose mark is found is the right one. */
const browsers: readonly (readonly [name: string, mark: RegExp])[] = [
  ["Edge", /\bEdg(?:e|A|iOS)?\//],
  ["Opera", /\bOPR\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Firefox", /\b(?:Firefox|FxiOS)\//],
  ["Chrome", /\b(?:Headless)?Chrome\/|\bCriOS\//],
  ["Safari", /\bVersion\/.*\bSafari\//],
];

const systems: readonly (readonly [name: string, mark: RegExp])[] = [
  ["ChromeOS", /\bCrOS\b/],
  ["Android", /\bAndroid\b/],
  ["iOS", /\b(?:iPhone|iPad|iPod)\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMac(?:intosh| OS X)\b/],
  ["Linux", /\bLinux\b/],
];

/** What a device is called and what it is, from what is kept of it; an empty name is none. */
export function describeDevice({
  userAgent,
  name,
}: {
  readonly userAgent: string;
  readonly name: string;
}): DeviceName & { readonly kind: DeviceKind } {
  return { ...deviceOf(userAgent), ...(name === "" ? {} : { given: name }) };
}

/** A person is signed in with few browsers, and sees each of them often. */
const deviceOf = keepLatest((userAgent: string) => ({
  ...deviceName(userAgent),
  kind: deviceKind(userAgent),
}));

/** What to call a device, from the `User-Agent` that it once sent; what cannot be found out is left out. */
export function deviceName(userAgent: string): DeviceName {
  return { browser: firstOf(browsers, userAgent), system: firstOf(systems, userAgent) };
}

/** What sort of thing a device is, from the `User-Agent` that it once sent. */
export function deviceKind(userAgent: string): DeviceKind {
  if (!userAgent.startsWith("Mozilla/") && firstOf(systems, userAgent) === undefined)
    return "terminal";
  if (/\biPad\b/.test(userAgent)) return "tablet";
  if (/\b(?:iPhone|iPod|Mobile)\b/.test(userAgent)) return "phone";
  return /\bAndroid\b/.test(userAgent) ? "tablet" : "laptop";
}

function firstOf(names: typeof browsers, userAgent: string): string | undefined {
  return names.find(([, mark]) => mark.test(userAgent))?.[0];
}
