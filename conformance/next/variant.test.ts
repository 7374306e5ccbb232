import { execFileSync } from "node:child_process";
import path from "node:path";
import { type Browser as Chromium, chromium } from "@playwright/test";
import { type RunningProvider, startProvider } from "@latchkey/provider";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { findBrowser } from "../../e2e/browser.ts";
import { type Browser, createBrowser } from "../../packages/latchkey/test/browser.ts";
import { freePort } from "../../tools/start/ports.ts";
import { type AppProcess, startApp } from "../suite/app-process.ts";

const folder = path.join(import.meta.dirname, "variant");

describe("below a path, with trailing slashes, cache components and addresses as they came", () => {
  let baseURL = "";
  let provider: RunningProvider;
  let app: AppProcess;
  let chrome: Chromium;
  let ada: Browser;

  beforeAll(async () => {
    execFileSync("node", ["--run", "build"], {
      cwd: folder,
      stdio: "pipe",
      env: { ...process.env, NODE_ENV: "production" },
    });
    const port = await freePort();
    baseURL = `http://localhost:${port}/shop`;
    provider = await startProvider({ appURL: baseURL });
    const [client] = provider.clients;
    app = await startApp(folder, port, {
      LATCHKEY_BASE_URL: baseURL,
      LATCHKEY_ISSUER_BASE_URL: provider.issuer,
      LATCHKEY_CLIENT_ID: client?.id ?? "",
      LATCHKEY_CLIENT_SECRET: client?.secret ?? "",
      LATCHKEY_SECRET: "a-secret-of-the-conformance-suite-0123456789",
      LATCHKEY_PUBLIC_PATHS: "/",
    });
    chrome = await chromium.launch({ ...(await findBrowser()), args: ["--no-sandbox"] });
    ada = createBrowser(baseURL);
    await ada.signIn(`${baseURL}/private/?tab=2`);
  }, 300_000);

  afterAll(async () => {
    await chrome?.close();
    await app?.stop();
    await provider?.close();
  });

  test("a person signs in and comes back to the page that they asked for [AD-008]", async () => {
    const page = await createBrowser(baseURL).signIn(`${baseURL}/private/?tab=2`);
    expect([page.url.href, page.status]).toEqual([`${baseURL}/private/?tab=2`, 200]);
    expect(page.text).toContain("Private page of Ada Okafor");
    expect((await ada.request(`${baseURL}/api/auth/me/`)).status).toBe(200);
  });

  test("the shell of a page is the same for everybody, and no cache keeps a person's page [AD-044]", async () => {
    const stranger = await createBrowser(baseURL).request(`${baseURL}/`);
    const page = await ada.request(`${baseURL}/`);
    expect(page.text).toContain("Hello Ada Okafor");
    expect(page.headers.get("cache-control")).toContain("no-store");
    expect(stranger.text).toContain("Hello stranger");
    expect(stranger.text).not.toContain("Ada");
  });

  test("what is cached cannot be made of a session [AD-044]", async () => {
    const page = await ada.request(`${baseURL}/cached/`);
    expect(page.text).not.toContain("Cached for");
  });

  test.each([
    "/private",
    "/private/",
    "/private/index.rsc",
    "/private.rsc",
    "/private.segments/_tree.segment.rsc",
    "/_next/data/x/private.json",
    "/_next/data/x/private/.json",
    "/_next/image?url=/shop/private/&w=64&q=75",
    "//private",
    "/%70rivate/",
    "/x/../private/",
    "/PRIVATE/",
  ])("%s shows nothing to a stranger [AD-010, AD-011]", async (target) => {
    const answered = await createBrowser(baseURL).open(baseURL + target);
    expect(answered.text).not.toContain("Private page");
    expect(answered.status).toBeLessThan(500);
  });

  test("a link to a protected page leads to login and back, and the console stays empty [AD-013]", async () => {
    const page = await chrome.newPage();
    const console: string[] = [];
    page.on("console", (message) => console.push(message.text()));
    await page.goto(`${baseURL}/`);
    await page.getByRole("link", { name: "Private page" }).click();
    await page.getByRole("button", { name: "Ada Okafor" }).click();
    await page.getByText("Private page of Ada Okafor").waitFor();
    expect(console.filter((line) => !line.includes("404"))).toEqual([]);
  });
});
