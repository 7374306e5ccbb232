/** Finds a browser that binds sessions to its device (Device Bound Session Credentials). */
import { spawnSync } from "node:child_process";
import { onPath } from "./browser.ts";

/** The first version in which the software keys of its tests were seen to work. */
const firstVersion = 156;

/**
 * Tries `DEVICE_BOUND_BROWSER`, then the PATH. Headless shells bind no session, so the browser that
 * the tests unpack is none.
 *
 * @returns the path of the browser; `undefined` if there is none
 */
export function findDeviceBoundBrowser(): string | undefined {
  const given = process.env["DEVICE_BOUND_BROWSER"];
  const candidates = given ? [given] : ["chromium", "google-chrome"].flatMap(onPath);
  return candidates.find((file) => versionOf(file) >= firstVersion);
}

function versionOf(executable: string): number {
  const { stdout } = spawnSync(executable, ["--version"], { encoding: "utf8", timeout: 60_000 });
  const [, version = "0"] = /(?:Chromium|Google Chrome) (\d+)\./.exec(stdout ?? "") ?? [];
  return Number(version);
}
