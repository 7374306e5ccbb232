import { defineConfig, devices } from "@playwright/test";
import { findBrowser } from "./tools/browser/browser.ts";
import { findDeviceBoundBrowser } from "./tools/browser/device-bound.ts";
import { compileCache } from "./tools/start/compile-cache.ts";

const browser = await findBrowser();
Object.assign(process.env, compileCache, browser?.env);

const longStories = "**/*.long.story.ts";
const siteStories = "**/*.site.story.ts";
const deviceStories = "**/*.device.story.ts";
const longDeviceStories = "**/*.device.long.story.ts";
const bindsSessions = findDeviceBoundBrowser() !== undefined;
if (!bindsSessions && process.env["TEST_WORKER_INDEX"] === undefined) {
  console.log(
    "No browser here binds sessions to its device: the stories of device-bound sessions do not run. Install Chromium 156 or later to run them.",
  );
}

export default defineConfig({
  testDir: "e2e",
  // What is built needs no second compiler.
  build: { external: ["**/dist/**"] },
  outputDir: "test-results",
  projects: [
    {
      name: "stories",
      testMatch: "**/*.story.ts",
      testIgnore: [longStories, siteStories, deviceStories],
    },
    ...(bindsSessions ? [{ name: "device", testMatch: deviceStories }] : []),
    // Deploys under load, silent stores: part of `npm run ci`, too long for `npm test`.
    {
      name: "long",
      testMatch: longStories,
      testIgnore: bindsSessions ? [] : [longDeviceStories],
    },
    // Of the built site of the docs: part of `npm run site`.
    { name: "site", testMatch: siteStories },
  ],
  // `npm test` runs unit tests beside them.
  workers: 2,
  forbidOnly: true,
  // These end only a story that hangs: a busy machine is slow, not wrong.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: "list",
  use: {
    ...devices["Desktop Chrome"],
    // A trace costs a third of the time, pictures of failures a twelfth: add `--trace on` if you need
    // one.
    trace: "off",
    screenshot: "off",
    launchOptions: {
      ...(browser && { executablePath: browser.executablePath }),
      args: [
        // Stories reach only this machine.
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1, EXCLUDE [::1]",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
