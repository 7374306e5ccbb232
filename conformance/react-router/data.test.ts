import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

import {
  choosePerson,
  expectText,
  sharedChromium,
  untilHydrated,
} from "../suite/browser-window.ts";
import { expectSessionHeaders, script } from "../suite/expectations.ts";
import { host, hostFolder, sharedWorld } from "../suite/world.ts";

describe("the data addresses of React Router", () => {
  const world = sharedWorld();
  const ask = (target: string, headers = {}) =>
    world().send({ target, headers: { ...script, ...headers } });

  test.each(["/private.data?tab=2&_routes=root", "/private.data?tab=2", "/private/_.data?tab=2"])(
    "%s is guarded like its page: the client is led to login, with the way back [AD-010, AD-013]",
    async (target) => {
      const { status, body } = await ask(target);
      expect([status, body.includes("Ada")]).toEqual([202, false]);
      expect(body).toMatch(/SingleFetchRedirect.*\/api\/auth\/login\?returnTo=%2Fprivate/);
      expect(body).toMatch(/returnTo=%2Fprivate(?:%2F)?%3Ftab%3D2"/);
      expect(body).toContain('"reload",true');
    },
  );

  test.each(["/_.data", "/_root.data", "/cacheable.data", "/api/me.data", "/nowhere.data"])(
    "%s says nothing of a person to a stranger [AD-010]",
    async (target) => {
      const { status, body } = await ask(target);
      expect([status < 500, body.includes("Ada")]).toEqual([true, false]);
    },
  );

  test("the data of a public page come without a session [AD-010]", async () => {
    const { status, body } = await ask("/_.data");
    expect([status, body.includes("stranger")]).toEqual([200, true]);
  });

  test("a prefetch of data is answered 401, so that no login begins [AD-014]", async () => {
    const { status, setCookies } = await ask("/private.data", { "sec-purpose": "prefetch" });
    expect([status, setCookies]).toEqual([401, []]);
  });

  test("data carry the session's headers [AD-018]", async () => {
    const cookie = await (await world().signedIn()).cookies();
    const { status, body, setCookies } = await ask("/private.data", { cookie });
    expect([status, body.includes("Ada Okafor")]).toEqual([200, true]);
    expect(setCookies).toEqual([expect.stringMatching(/^appSession\.t=/)]);
  });

  test("a loader that reads the session after the head has left has private data [AD-017, AD-022]", async () => {
    const target = "/public/streamed.data?_routes=routes%2Fstreamed";
    const cookie = await (await world().signedIn()).cookies();
    const data = await ask(target, { cookie });
    expect([data.status, data.body]).toEqual([200, expect.stringContaining("Ada Okafor")]);
    expectSessionHeaders(host, data, 1);
    const open = await ask(target);
    expect([open.body, open.header("cache-control")]).toEqual([
      expect.stringContaining("a stranger"),
      "public, max-age=600",
    ]);
  });
});

describe("a link of React Router to a page closed by a rule", () => {
  const rules = { "/private": { claim: { name: "Ada Okafor" } } };
  const world = sharedWorld({ environment: { LATCHKEY_ACCESS_RULES: JSON.stringify(rules) } });

  const newWindow = sharedChromium();

  test("loads the document, which says what is missing [AD-030]", async () => {
    const { page } = await newWindow();
    await page.goto(`${world().baseURL}/api/auth/login?returnTo=/`);
    await choosePerson(page, "Ben Castellan");
    await untilHydrated(page);
    await page.getByText("Private page").click();
    await expectText(page, "name: Ada Okafor");
    expect(page.url()).toBe(`${world().baseURL}/private?tab=2`);
  });
});

describe("a page rendered by the build of React Router", () => {
  test("holds no person, and the build needed no setting [AD-037]", () => {
    const page = readFileSync(path.join(hostFolder, "build/client/about/index.html"), "utf8");
    expect(page).toContain("Built for nobody");
  });
});
