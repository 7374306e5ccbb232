import { type RunningProvider, startProvider } from "@latchkey/provider";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createBrowser } from "../../packages/latchkey/test/browser/browser.ts";
import { freePort } from "../../packages/latchkey/test/servers/free-port.ts";
import { type AppProcess, startApp } from "../suite/app-process.ts";
import { clientSettings } from "../suite/client-settings.ts";
import { basePathRows } from "../suite/rows/base-path.ts";
import { publicVariable } from "../suite/rows/world.ts";
import { host, hostFolder } from "../suite/world.ts";

describe("a build of Nuxt below a path", () => {
  let app: AppProcess;
  let provider: RunningProvider;
  let baseURL = "";

  beforeAll(async () => {
    const port = await freePort();
    baseURL = `http://localhost:${port}/shop`;
    provider = await startProvider({ appURL: baseURL });
    app = await startApp(hostFolder, port, {
      NUXT_APP_BASE_URL: "/shop/",
      ...clientSettings(baseURL, provider),
      ...publicVariable(host),
    });
  });

  afterAll(async () => {
    await app?.stop();
    await provider?.close();
  });

  basePathRows(() => baseURL);

  test("a stranger sees Nuxt's own page for an error of a public path [AD-008, AD-031]", async () => {
    const stranger = createBrowser(baseURL);
    const page = await stranger.request(`${baseURL}/public/nothing`, {
      headers: { accept: "text/html" },
    });
    expect([page.status, page.text.includes("No such page")]).toEqual([404, true]);
  });
});
