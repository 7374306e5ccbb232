// oxlint-disable import/no-named-as-default-member -- at run time it has the default export only
import Bowser from "bowser";

import { keepLatest } from "../messages/keep-latest.ts";

/** The names of a browser and its system; absent if unknown. */
export interface DeviceName {
  /** The name that the user gave it. */
  readonly given?: string | undefined;
  readonly browser?: string | undefined;
  readonly system?: string | undefined;
  readonly kind?: DeviceKind;
}

/** The kind of a device; `terminal` is a program that is no browser. */
export type DeviceKind = "phone" | "tablet" | "laptop" | "terminal";

/** Bowser also returns text of unknown clients, which no page may quote. */
const knownNames: ReadonlySet<string | undefined> = new Set([
  ...Object.values(Bowser.BROWSER_MAP),
  ...Object.values(Bowser.OS_MAP),
]);

/** Names as users know them, if Bowser has a longer one. */
const usualNames: Readonly<Record<string, string>> = {
  "Chrome OS": "ChromeOS",
  "Microsoft Edge": "Edge",
  "Samsung Internet for Android": "Samsung Internet",
};

const kinds: Readonly<Record<string, DeviceKind>> = { mobile: "phone", tablet: "tablet" };

/** Describes a device by what the session keeps of it; an empty name counts as none. */
export function describeDevice({
  userAgent,
  name,
}: {
  readonly userAgent: string;
  readonly name: string;
}): DeviceName & { readonly kind: DeviceKind } {
  return { ...deviceOf(userAgent), ...(name === "" ? {} : { given: name }) };
}

/** A user has few browsers, and sees each of them often. */
const deviceOf = keepLatest((userAgent: string): DeviceName & { readonly kind: DeviceKind } => {
  // Bowser throws on an empty text.
  const { browser, os, platform } = Bowser.parse(userAgent || "-");
  const system = thingOf(platform.model, os.name) ?? usualName(os.name);
  const isProgram = !userAgent.startsWith("Mozilla/") && system === undefined;
  const kind = isProgram ? "terminal" : (kinds[platform.type ?? ""] ?? "laptop");
  return { browser: usualName(browser.name), system, kind };
});

/** What people call the device itself, if that says more than the name of its system. */
function thingOf(model: string | undefined, system: string | undefined): string | undefined {
  if (model === "iPhone" || model === "iPad") return model;
  return system === undefined ? undefined : things[system];
}

const things: Readonly<Record<string, string>> = { macOS: "Mac", Windows: "Windows PC" };

function usualName(name: string | undefined): string | undefined {
  return name === undefined || !knownNames.has(name) ? undefined : (usualNames[name] ?? name);
}
