import { describe, expect, test } from "vitest";

import { expectPage, expectPrivate, sessionCookies } from "../suite/expectations.ts";
import { host, sharedWorld, worldOfTest } from "../suite/world.ts";

describe("an internal request of a page to its own app", () => {
  const world = sharedWorld();

  test("changes the session for the next request, and the change reaches the browser [AD-018]", async () => {
    const browser = await world().signedIn();
    const cookie = await browser.cookies();
    const page = await world().send({ target: "/public/theme", headers: { cookie } });
    expectPage({ status: page.status, text: page.body }, "Ada Okafor likes dark");
    expect(sessionCookies(page.setCookies)).toHaveLength(1);
    await browser.request("/public/theme");
    expect(JSON.parse((await browser.request("/api/me")).text)).toMatchObject({ theme: "dark" });
  });

  test("a public page whose data are a person's is kept from shared caches [AD-022]", async () => {
    const cookie = await (await world().signedIn()).cookies();
    const page = await world().send({ target: "/public/members", headers: { cookie } });
    expect(page.body).toContain("Member Ada Okafor");
    expectPrivate(host, page);
  });

  test("is guarded as if a browser had sent it [AD-010]", async () => {
    const page = await world().send({ target: "/public/theme" });
    expectPage({ status: page.status, text: page.body }, "Nobody likes anything");
    expect(page.setCookies).toEqual([]);
  });

  test("refreshes tokens which reach the browser [AD-019]", async () => {
    const rotating = await worldOfTest({
      environment: { LATCHKEY_SCOPE: "openid profile offline_access" },
    });
    const browser = await rotating.signedIn();
    for (const time of ["first", "second", "third"]) {
      // oxlint-disable-next-line no-await-in-loop -- each request needs the token of the former one
      const page = await browser.request("/public/token");
      expect([time, page.text]).toEqual([time, expect.stringContaining("A token")]);
      expect(sessionCookies(page.headers.getSetCookie())).toHaveLength(1);
    }
  });
});
