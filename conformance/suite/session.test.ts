import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";

import type { Browser } from "../../packages/latchkey/test/browser.ts";
import { expectPage, nameOf, sessionCookies } from "./expectations.ts";
import { host, publicVariable, sharedWorld, type World, worldOfTest } from "./world.ts";

const nothingProtected = "/ /private /private/ /api/ /devices/ /upload /late";

const protections = [
  ["a protected path", {}],
  ["a public path", publicVariable(nothingProtected)],
] as const;

describe.each(protections)(`the session on ${host.title} on %s`, (_, environment) => {
  const world = sharedWorld({ environment });

  test("[AD-018] the browser holds the last of two updates that one handler made", async () => {
    const browser = await world().signedIn();
    const updated = await post(browser, "/api/update", { theme: "dark" });
    expect(sessionCookies(updated.headers.getSetCookie())).toHaveLength(1);
    expect(JSON.parse(updated.text)).toEqual({ theme: "dark" });
    const me = await browser.request("/api/me");
    expect(JSON.parse(me.text)).toMatchObject({ name: "Ada Okafor", theme: "dark" });
  });

  test("[AD-019] a refresh in a handler keeps the rotated token: the next refresh succeeds with it", async () => {
    const browser = await world().signedIn();
    const tokens = [];
    for (let round = 0; round < 3; round += 1) {
      const { status, text } = await browser.request("/api/token?refresh");
      expect([status, text]).toEqual([200, expect.stringContaining("accessToken")]);
      tokens.push(text);
    }
    expect(new Set(tokens).size).toBe(3);
  });

  test("[AD-017] a session that a handler has read is renewed in the browser", async () => {
    const browser = await world().signedIn();
    const page = await browser.request("/private");
    expectPage(page, "Private page of Ada Okafor");
    expect(sessionCookies(page.headers.getSetCookie())).toHaveLength(1);
  });

  test("[AD-027] ending all devices in a handler clears the cookies in that very response", async () => {
    const browser = await world().signedIn("person-ben");
    const { status, headers } = await post(browser, "/devices/end", {});
    const cookies = sessionCookies(headers.getSetCookie());
    expect([status, cookies.length]).toEqual([200, 1]);
    expect(cookies[0]).toMatch(/^appSession=;.*Expires=Thu, 01 Jan 1970 00:00:00 GMT/);
    expect(await browser.cookies()).not.toContain("appSession");
  });
});

describe(`the session on ${host.title}`, () => {
  const shared = sharedWorld();

  test("[AD-017] a public page that reads the session renews it, and says nothing where there is none", async () => {
    const browser = await shared().signedIn();
    const page = await browser.request("/");
    expectPage(page, "Hello Ada Okafor");
    expect(sessionCookies(page.headers.getSetCookie())).toHaveLength(1);
    const stranger = await shared().browser().request("/");
    expectPage(stranger, "Hello stranger");
    expect(stranger.headers.getSetCookie()).toEqual([]);
  });

  test("[AD-016] a session is renewed when that is due, and not before", async () => {
    const world = await worldOfTest({ environment: { LATCHKEY_SESSION_RENEW_AFTER: "3" } });
    const browser = await world.signedIn();
    expect((await browser.request("/private")).headers.getSetCookie()).toEqual([]);
    await pause(3500);
    const due = await browser.request("/private");
    expect(due.headers.getSetCookie().map(nameOf)).toEqual(["appSession"]);
    expect((await browser.request("/private")).headers.getSetCookie()).toEqual([]);
  });

  test("[AD-020] 50 parallel requests that find the token due cost one refresh, and each gets its result or the token that is still good", async () => {
    const world = await worldOfTest({ provider: { lifetimes: { accessToken: 66 } } });
    const browser = await world.signedIn();
    const cookie = await browser.cookies();
    await pause(7500);
    world.provider.clearRequests();
    const responses = await parallel(50, () => ask(world, "/api/token", cookie));
    expect(responses.map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect(new Set(responses.map(({ text }) => text)).size).toBeLessThanOrEqual(2);
    const refreshes = world.provider.requests.filter(({ path }) => path === "/token");
    expect(refreshes).toHaveLength(1);
    await browser.request("/api/token");
    expect((await browser.request("/api/token?refresh")).status).toBe(200);
  });

  test("[AD-028] of 200 parallel requests of two people, none sees the session of the other", async () => {
    const world = shared();
    const people = [
      { name: "Ada Okafor", browser: await world.signedIn("person-ada") },
      { name: "Ben Castellan", browser: await world.signedIn("person-ben") },
    ];
    const cookies = await Promise.all(people.map(({ browser }) => browser.cookies()));
    const paths = ["/private", "/api/me", "/"];
    const seen = await parallel(200, async (index) => {
      const { text } = await ask(world, paths[index % 3] ?? "/", cookies[index % 2] ?? "");
      return people.filter(({ name }) => text.includes(name)).map(({ name }) => name);
    });
    expect(seen).toEqual(seen.map((_each, index) => [people[index % 2]?.name]));
  });
});

function ask(world: World, path: string, cookie: string) {
  return world.browser().request(path, { headers: { cookie } });
}

function post(browser: Browser, path: string, value: object) {
  const headers = { "content-type": "application/json" };
  return browser.request(path, { method: "POST", headers, body: JSON.stringify(value) });
}

function parallel<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => work(index)));
}
