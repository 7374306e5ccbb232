import { type RunningProvider, startProvider } from "@latchkey/provider";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createBrowser } from "../../packages/latchkey/test/browser.ts";
import { freePort } from "../../tools/start/ports.ts";
import { type AppProcess, startApp } from "../suite/app-process.ts";
import { publicVariable } from "../suite/rows/world.ts";
import { host, hostFolder } from "../suite/world.ts";

describe("a build of Nuxt that is served below a path", () => {
  let app: AppProcess;
  let provider: RunningProvider;
  let baseURL = "";

  beforeAll(async () => {
    const port = await freePort();
    baseURL = `http://localhost:${port}/shop`;
    provider = await startProvider({ appURL: baseURL });
    const [client] = provider.clients;
    app = await startApp(hostFolder, port, {
      NUXT_APP_BASE_URL: "/shop/",
      LATCHKEY_BASE_URL: baseURL,
      LATCHKEY_ISSUER_BASE_URL: provider.issuer,
      LATCHKEY_CLIENT_ID: client?.id ?? "",
      LATCHKEY_CLIENT_SECRET: client?.secret ?? "",
      LATCHKEY_SECRET: "a-secret-of-the-conformance-suite-0123456789",
      ...publicVariable(host),
    });
  });

  afterAll(async () => {
    await app?.stop();
    await provider?.close();
  });

  test("a person signs in, and comes back to the page that they asked for [AD-008]", async () => {
    const browser = createBrowser(baseURL);
    const page = await browser.signIn(`${baseURL}/private?tab=2`);
    expect([page.url.href, page.status]).toEqual([`${baseURL}/private?tab=2`, 200]);
    expect(page.text).toContain("Private page of Ada Okafor");
    expect((await browser.request(`${baseURL}/api/me`)).status).toBe(200);
    expect((await browser.request(`${baseURL}/api/auth/me`)).status).toBe(200);
  });

  test("its public paths are those below it, and everything else needs a sign-in [AD-008]", async () => {
    const stranger = createBrowser(baseURL);
    const home = await stranger.request(`${baseURL}/`);
    expect([home.status, home.text.includes("Hello stranger")]).toEqual([200, true]);
    expect((await stranger.request(`${baseURL}/api/me`)).status).toBe(401);
    const page = await stranger.request(`${baseURL}/private`);
    expect(page.location).toBe(`${baseURL}/api/auth/login?returnTo=%2Fshop%2Fprivate`);
  });

  test("a stranger sees Nuxt's own page for an error of a public path [AD-008, AD-031]", async () => {
    const stranger = createBrowser(baseURL);
    const page = await stranger.request(`${baseURL}/public/nothing`, {
      headers: { accept: "text/html" },
    });
    expect([page.status, page.text.includes("No such page")]).toEqual([404, true]);
  });
});
