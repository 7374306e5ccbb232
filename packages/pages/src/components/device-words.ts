import { useText } from "./message.tsx";
import { usePageFrame } from "./page-frame.tsx";
import { agoInWords } from "../messages/durations.ts";
import type { MessageKey } from "../messages/catalogue.ts";
import type { DeviceKind, DeviceName } from "./device-name.ts";

/** The words for an unknown browser. */
function unknownBrowser(kind: DeviceKind | undefined): MessageKey {
  return kind === "terminal" ? "devices.unknownProgram" : "devices.unknown";
}

/**
 * Returns a function that names a device, e.g. `Kitchen` or `Firefox on Windows PC`; never an empty
 * name.
 */
export function useDeviceName(): (name: DeviceName) => string {
  const say = useText();
  return ({ given, browser, system, kind }) => {
    if (given !== undefined) return isolate(given);
    if (browser === undefined) {
      return system === undefined
        ? say(unknownBrowser(kind))
        : say("devices.unknownOn", { system });
    }
    return system === undefined ? browser : say("devices.name", { browser, system });
  };
}

/**
 * Isolates a text in a sentence of either direction from the words around it (Unicode, annex 9).
 */
function isolate(text: string): string {
  return `\u2068${text}\u2069`;
}

/**
 * Returns a function that says how long ago a moment (epoch seconds) was when the page was made,
 * e.g. `2 hours ago`.
 */
export function useAgo(): (at: number) => string {
  const { now, words } = usePageFrame();
  return (at) => agoInWords(now - at, words.locale);
}
