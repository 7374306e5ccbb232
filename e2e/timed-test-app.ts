/** The built application with a clock and a provider under the control of the story. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "@playwright/test";
import { startProvider } from "@latchkey/provider";
import type { RunningProvider } from "@latchkey/provider";
import { freePort } from "../packages/latchkey/test/servers/free-port.ts";
import { startTestApp } from "./test-app.ts";
import type { TestApp } from "./test-app.ts";

export interface TimedTestApp extends TestApp {
  readonly provider: RunningProvider;
  /**
   * Advances the clocks of the application and the pages by at least two seconds. The pages sleep
   * until the last second.
   */
  pass(seconds: number, ...pages: readonly Page[]): Promise<void>;
  /** Sets the clock back to the time of the machine. */
  resetClock(): void;
}

/** @param settings - environment of the application */
export async function startTimedTestApp(
  settings: Readonly<Record<string, string>>,
): Promise<TimedTestApp> {
  const folder = mkdtempSync(path.join(tmpdir(), "latchkey-clock-"));
  const clockFile = path.join(folder, "seconds");
  let shift = 0;
  const shiftBy = (seconds: number) => writeFileSync(clockFile, String((shift = seconds)));
  shiftBy(0);
  const port = String(await freePort());
  const provider = await startProvider({ appURL: `http://localhost:${port}` });
  const [client] = provider.clients;
  const testApp = await startTestApp({
    PORT: port,
    LATCHKEY_ISSUER_BASE_URL: provider.issuer,
    LATCHKEY_CLIENT_ID: client?.id ?? "",
    LATCHKEY_CLIENT_SECRET: client?.secret ?? "",
    LATCHKEY_BACKCHANNEL_LOGOUT: "true",
    // The clock of the provider does not move.
    LATCHKEY_CLOCK_TOLERANCE: "100000000",
    // Streams have a story of their own.
    LATCHKEY_STREAMS: "0",
    NODE_OPTIONS: `--import=${pathToFileURL(path.join(import.meta.dirname, "shifted-clock.ts")).href}`,
    STORY_CLOCK: clockFile,
    ...settings,
  });
  return {
    ...testApp,
    provider,
    async pass(seconds, ...pages) {
      shiftBy(shift + seconds);
      for (const { clock } of pages) {
        await clock.fastForward((seconds - 1) * 1000);
        await clock.runFor(1000);
      }
    },
    resetClock: () => shiftBy(0),
    async close() {
      await testApp.close();
      await provider.close();
      rmSync(folder, { recursive: true });
    },
  };
}
