import { defineConfig, devices } from "@playwright/test";
import { findBrowser } from "./tools/browser/browser.ts";

const browser = await findBrowser();
Object.assign(process.env, browser?.env);

export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.story.ts",
  outputDir: "test-results",
  workers: 1,
  forbidOnly: true,
  // A machine that does other work beside is slow, and not wrong: these end only what hangs.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: "list",
  use: {
    ...devices["Desktop Chrome"],
    // Costs a third of the time: `npx playwright test <words> --trace on` when it is needed.
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: {
      ...(browser && { executablePath: browser.executablePath }),
      args: [
        // Stories reach this machine only.
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
