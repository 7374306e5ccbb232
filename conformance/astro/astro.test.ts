import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

import {
  choosePerson,
  expectText,
  sharedChromium,
  untilHydrated,
} from "../suite/browser-window.ts";
import { actionsOf, expectPage, expectSessionHeaders } from "../suite/expectations.ts";
import { host, hostFolder, sharedWorld, worldOfTest } from "../suite/world.ts";

describe("the forms of other sites on Astro", () => {
  const world = sharedWorld();
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const act = { method: "POST", target: "/act?_action=act", body: "a=1" };

  test.each([
    [{ ...form, origin: "https://evil.example" }],
    [{ ...form, origin: "null" }],
    [form],
    [{ "content-type": "text/plain;charset=utf-8", origin: "https://evil.example" }],
    [{ "content-type": "Multipart/Form-Data; boundary=x" }],
    [{}],
  ])("posted with %j are refused, as without sign-in [AD-002]", async (headers) => {
    const cookie = await (await world().signedIn()).cookies();
    const { status } = await world().send({ ...act, headers: { ...headers, cookie } });
    expect([status, await actionsOf(world())]).toEqual([403, 0]);
  });

  test("of our own origin are taken [AD-002]", async () => {
    const cookie = await (await world().signedIn()).cookies();
    const headers = { ...form, cookie, origin: world().baseURL };
    const { status, body } = await world().send({ ...act, headers });
    expect([status, body.includes("Done by Ada Okafor")]).toEqual([200, true]);
  });
});

test("an action posted to a public page is guarded by its own address [AD-011]", async () => {
  const world = await worldOfTest();
  const headers = { origin: world.baseURL, "content-type": "application/x-www-form-urlencoded" };
  const post = (target: string) => world.send({ method: "POST", target, headers, body: "a=1" });
  expect((await post("/?_action=nothing")).header("location")).toContain("/api/auth/login?");
  expect((await post("/?x=_action")).header("location")).toBeNull();
});

describe("a fetch of a page without a session, on Astro", () => {
  const world = sharedWorld();
  const script = {
    accept: "*/*",
    "sec-fetch-dest": "empty",
    "sec-fetch-mode": "cors",
    "sec-fetch-site": "same-origin",
  };

  test.each([
    ["by a script", script, 401],
    ["by Astro's client router", { ...script, "x-latchkey-client": "astro" }, 200],
    ["ahead", { ...script, "sec-purpose": "prefetch" }, 204],
  ])("%s gets a status which its sender understands [AD-013]", async (_, headers, expected) => {
    const { status, body } = await world().send({ target: "/private", headers });
    expect([status, body.includes("Private page")]).toEqual([expected, false]);
  });
});

describe("a public page of Astro whose component reads the session while the page is sent", () => {
  const world = sharedWorld();

  test("is a person's own, whatever the page and the route rules say of caches [AD-017, AD-022]", async () => {
    const cookie = await (await world().signedIn()).cookies();
    const page = await world().send({ target: "/public/streamed", headers: { cookie } });
    expectPage({ status: page.status, text: page.body }, "Sent to Ada Okafor");
    expectSessionHeaders(host, page, 1);
    expect(page.header("cdn-cache-control")).toBeNull();
  });

  test("may be kept without a session [AD-022]", async () => {
    const page = await world().send({ target: "/public/streamed" });
    expectPage({ status: page.status, text: page.body }, "Sent to a stranger");
    expect(page.header("cache-control")).toBe("public, max-age=600");
    expect(page.header("cdn-cache-control")).toBe("max-age=600");
  });
});

describe("a page shown by Astro for a language without its own", () => {
  const rules = { "/private": { claim: { name: "Ada Okafor" } } };
  const world = sharedWorld({ environment: { LATCHKEY_ACCESS_RULES: JSON.stringify(rules) } });

  test.each(["/de/private", "/de/private/", "/de/%70rivate", "/de/private?_action=act"])(
    "%s is closed by the rule of the page [AD-010, AD-011]",
    async (target) => {
      const shownTo = async (person: string) => {
        const browser = world().browser();
        await browser.signIn("/api/auth/login?returnTo=/", person);
        const { text } = await browser.request(target);
        return text.includes("Private page of");
      };
      expect([await shownTo("person-ada"), await shownTo("person-ben")]).toEqual([true, false]);
    },
  );
});

describe("the router of Astro", () => {
  const world = sharedWorld();
  const newWindow = sharedChromium();

  test("takes over neither the link to login nor the form of logout, and the console stays empty [AD-013]", async () => {
    const { page, complaints } = await newWindow();
    await page.goto(`${world().baseURL}/`);
    await untilHydrated(page);
    await page.getByRole("link", { name: "Sign in" }).click();
    await choosePerson(page);
    await untilHydrated(page);
    await page.getByRole("button", { name: "Sign out" }).click();
    await expectText(page, "signed out of your sign-in provider too");
    expect(complaints).toEqual([]);
    const ends = world().provider.requests.filter(({ path }) => path === "/session/end");
    const hints = ends.map(({ query }) => new URLSearchParams(query).has("id_token_hint"));
    expect(hints).toEqual([true]);
  });
});

describe("a page rendered by the build of Astro", () => {
  test("holds no person, and the build needed no setting [AD-037]", () => {
    const page = readFileSync(path.join(hostFolder, "dist/client/about/index.html"), "utf8");
    expect(page).toContain("Built for nobody");
  });
});
