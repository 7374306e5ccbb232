import { describe, expect, test } from "vitest";

import { expectPage, expectPrivate, sessionCookies } from "../suite/expectations.ts";
import { host, sharedWorld, worldOfTest } from "../suite/world.ts";

describe("what a page asks of its own app while it is rendered", () => {
  const world = sharedWorld();

  test("a session that is changed there is seen by what is asked next, and reaches the browser [AD-018]", async () => {
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

  test("it is guarded as if a browser had asked [AD-010]", async () => {
    const page = await world().send({ target: "/public/theme" });
    expectPage({ status: page.status, text: page.body }, "Nobody likes anything");
    expect(page.setCookies).toEqual([]);
  });

  test("tokens that were refreshed there reach the browser [AD-019]", async () => {
    const rotating = await worldOfTest({
      environment: { LATCHKEY_SCOPE: "openid profile offline_access" },
    });
    const browser = await rotating.signedIn();
    for (const time of ["first", "second", "third"]) {
      // oxlint-disable-next-line no-await-in-loop -- each with the token that the one before was given
      const page = await browser.request("/public/token");
      expect([time, page.text]).toEqual([time, expect.stringContaining("A token")]);
      expect(sessionCookies(page.headers.getSetCookie())).toHaveLength(1);
    }
  });
});
