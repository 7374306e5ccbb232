import path from "node:path";
import { type RunningProvider, startProvider } from "@latchkey/provider";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createBrowser } from "../../packages/latchkey/test/browser/browser.ts";
import { freePort } from "../../packages/latchkey/test/servers/free-port.ts";
import { type AppProcess, startApp } from "../suite/app-process.ts";
import { clientSettings } from "../suite/client-settings.ts";

describe("in development, with cache components", () => {
  let baseURL = "";
  let provider: RunningProvider;
  let app: AppProcess;

  beforeAll(async () => {
    const port = await freePort();
    baseURL = `http://localhost:${port}/shop`;
    provider = await startProvider({ appURL: baseURL });
    const environment = {
      NODE_ENV: "development",
      ...clientSettings(baseURL, provider),
      LATCHKEY_PUBLIC_PATHS: "/",
    };
    app = await startApp(path.join(import.meta.dirname, "variant"), port, environment, "dev");
  }, 120_000);

  afterAll(async () => {
    await app?.stop();
    await provider?.close();
  });

  test("Next renders no page of a session ahead of its request, and reports none", async () => {
    const ada = createBrowser(baseURL);
    const page = await ada.signIn(`${baseURL}/private/`);
    expect(page.text).toContain("Private page of Ada Okafor");
    expect((await ada.request(`${baseURL}/`)).text).toContain("Hello Ada Okafor");
    expect(app.output()).not.toContain("Next.js encountered");
  }, 120_000);
});
