import { describe, expect, test } from "vitest";

import { expectPrivate, navigation } from "../suite/expectations.ts";
import { host, sharedWorld } from "../suite/world.ts";

const onlyForAda = { claim: { name: "Ada Okafor" } };

describe("what rewrites() of Next.js show at another address", () => {
  const rules = { "/private": onlyForAda, "/files": onlyForAda, "/public/shown/api": onlyForAda };
  const world = sharedWorld({ environment: { LATCHKEY_ACCESS_RULES: JSON.stringify(rules) } });
  const shownTo = async (person: string, target: string) => {
    const browser = world().browser();
    await browser.signIn("/api/auth/login?returnTo=/", person);
    return browser.request(target);
  };

  test("is guarded by the requested address, and not by the rule of its target, as the guide says [AD-011]", async () => {
    const file = await world().send({ target: "/public/shown/files/a.txt", headers: navigation });
    expect([file.status, file.body]).toEqual([200, expect.stringContaining("A file for")]);
    const page = await shownTo("person-ben", "/public/shown/private");
    expect([page.status, page.text]).toEqual([200, expect.stringContaining("Ben Castellan")]);
  });

  test("is closed by a rule of the requested address [AD-011]", async () => {
    expect((await shownTo("person-ben", "/public/shown/api/me")).status).toBe(403);
    expect((await shownTo("person-ada", "/public/shown/api/me")).text).toContain("Ada Okafor");
  });

  test("is closed by require() in the page, which leads back to the requested address [AD-009, AD-030]", async () => {
    const target = "/public/shown/private?tab=2";
    const { status, header } = await world().send({ target, headers: navigation });
    expect([status, header("location")]).toEqual([
      307,
      `${world().baseURL}/api/auth/login?returnTo=${encodeURIComponent(target)}`,
    ]);
    const editors = "/public/shown/public/members/editors";
    const refused = await shownTo("person-ben", editors);
    expect([refused.status, URL.parse(refused.location)?.pathname]).toEqual([
      307,
      "/api/auth/refused",
    ]);
    expect((await shownTo("person-ada", editors)).text).toContain("Editor Ada Okafor");
  });

  test("is kept by no shared cache for a signed-in user [AD-022, AD-044]", async () => {
    const cookie = await (await world().signedIn()).cookies();
    const target = "/public/shown/private";
    const page = await world().send({ target, headers: { ...navigation, cookie } });
    expect(page.body).toContain("Private page of Ada Okafor");
    expectPrivate(host, page);
  });
});
