import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";

import type { Browser } from "../../../packages/latchkey/test/browser/browser.ts";
import { expectPage, nameOf, sessionCookies } from "../expectations.ts";
import { type DrivenHost, publicVariable, sharedWorld, type World, worldOfTest } from "./world.ts";

const publicForAll = ["/", "/api/"];

/** A session which handlers read, change, refresh and end. */
export function sessionRows(host: DrivenHost): void {
  describe(`the session on ${host.title}`, () => {
    changeRows(host, sharedWorld(host));
    renewalRows(host);
    parallelRows(host);
  });

  describe(`the session on public paths of ${host.title}`, () => {
    publicRows(sharedWorld(host, { environment: publicVariable(host, publicForAll) }));
  });
}

function changeRows(host: DrivenHost, world: () => World): void {
  const ways = ["stream", "redirect", ...(host.errorsCarryNoCookies === true ? [] : ["fail"])];

  test("reaches the browser as the last of two updates of one handler left it [AD-018]", async () => {
    const browser = await world().signedIn();
    const updated = await post(browser, "/api/update", { theme: "dark" });
    expect(sessionCookies(updated.headers.getSetCookie())).toHaveLength(1);
    expect(JSON.parse(updated.text)).toEqual({ theme: "dark" });
    const me = await browser.request("/api/me");
    expect(JSON.parse(me.text)).toMatchObject({ name: "Ada Okafor", theme: "dark" });
  });

  test("keeps the rotated token of a refresh in a handler: the next refresh succeeds with it [AD-019]", async () => {
    const browser = await world().signedIn();
    const tokens = [];
    for (let round = 0; round < 3; round += 1) {
      const { status, text } = await browser.request("/api/token?refresh");
      expect([status, text]).toEqual([200, expect.stringContaining("accessToken")]);
      tokens.push(text);
    }
    expect(new Set(tokens).size).toBe(3);
  });

  test.each(ways)(
    "has all parallel changes of a handler which then responds by %s [AD-018, AD-019, AD-023, AD-025]",
    async (way) => {
      const browser = await world().signedIn();
      const before = await browser.request("/api/token");
      const changed = await post(browser, `/changed/${way}`, {});
      expect(changed.status).toBe({ stream: 200, fail: 500 }[way] ?? changed.status);
      expect(sessionCookies(changed.headers.getSetCookie())).toHaveLength(1);
      const me = await browser.request("/api/me");
      expect(JSON.parse(me.text)).toMatchObject({ theme: expect.stringMatching(/^(?:ab|ba)$/) });
      expect((await browser.request("/api/token")).text).not.toBe(before.text);
      expect((await browser.request("/api/token?refresh")).status).toBe(200);
    },
  );

  test("is refreshed for the next request even if the client of the refresh has left [AD-019, AD-029]", async () => {
    const complaints = [...world().complaints()];
    const browser = await world().signedIn();
    const cookie = await browser.cookies();
    const before = await ask(world(), "/api/token", cookie);
    for (const ms of [1, 5, 15]) {
      const leaving = new AbortController();
      const asked = fetch(`${world().baseURL}/api/token?refresh`, {
        headers: { cookie },
        signal: leaving.signal,
      });
      await pause(ms);
      leaving.abort();
      await asked.catch(() => undefined);
    }
    await pause(200);
    const after = await ask(world(), "/api/token?refresh", cookie);
    expect([after.status, after.text === before.text]).toEqual([200, false]);
    expect(world().complaints()).toEqual(complaints);
  });

  test("gets no old tokens back from a request which began before a refresh and ends after it [AD-019]", async () => {
    const browser = await world().signedIn();
    const upload = startUpload(world().baseURL, await browser.cookies());
    await pause(50);
    const refreshed = await browser.request("/api/token?refresh");
    for (const line of (await upload.end()).headers.getSetCookie()) {
      await browser.jar.setCookie(line, world().baseURL);
    }
    expect((await browser.request("/api/token")).text).toBe(refreshed.text);
  });

  test("is renewed in the browser if a handler has read it [AD-017]", async () => {
    const browser = await world().signedIn();
    const page = await browser.request("/private");
    expectPage(page, "Private page of Ada Okafor");
    expect(sessionCookies(page.headers.getSetCookie())).toHaveLength(1);
  });

  test("loses its cookies in the response of a handler which ends all devices [AD-027]", async () => {
    const browser = await world().signedIn("person-ben");
    const { status, headers } = await post(browser, "/devices/end", {});
    const cookies = sessionCookies(headers.getSetCookie());
    const cleared = /^appSession(?:\.t)?=;.*Expires=Thu, 01 Jan 1970 00:00:00 GMT/;
    expect([status, cookies.every((line) => cleared.test(line))]).toEqual([200, true]);
    expect(await browser.cookies()).not.toContain("appSession");
  });
}

function renewalRows(host: DrivenHost): void {
  test("leaves no part of a larger one behind in the browser if it lives in cookies [AD-018]", async () => {
    const environment = { LATCHKEY_SESSION_STATEFUL: "false" };
    const browser = await (await worldOfTest(host, { environment })).signedIn();
    const chunksIn = async () => (await browser.cookies()).match(/appSession\.\d+=/g)?.length ?? 0;
    await post(browser, "/api/update", { theme: "x".repeat(5000) });
    expect(await chunksIn()).toBeGreaterThan(1);
    expectPage(await browser.request("/private"), "Private page of Ada Okafor");
    await post(browser, "/api/update", { theme: "dark" });
    expect(await chunksIn()).toBe(0);
    expect(JSON.parse((await browser.request("/api/me")).text)).toMatchObject({ theme: "dark" });
  });

  test("is renewed when due, and not before [AD-016]", async () => {
    const world = await worldOfTest(host, { environment: { LATCHKEY_SESSION_RENEW_AFTER: "8" } });
    const browser = await world.signedIn();
    expect((await browser.request("/private")).headers.getSetCookie()).toEqual([]);
    await world.pass(8.5);
    const due = await browser.request("/private");
    expect(due.headers.getSetCookie().map(nameOf)).toEqual(["appSession.t"]);
    expect((await browser.request("/private")).headers.getSetCookie()).toEqual([]);
  });
}

function publicRows(world: () => World): void {
  test("is renewed by a page which reads it, and no cookie is set without one [AD-017]", async () => {
    const page = await (await world().signedIn()).request("/");
    expectPage(page, "Hello Ada Okafor");
    expect(sessionCookies(page.headers.getSetCookie())).toHaveLength(1);
    const stranger = await world().browser().request("/");
    expectPage(stranger, "Hello stranger");
    expect(stranger.headers.getSetCookie()).toEqual([]);
  });

  test("reaches the browser as a handler has updated it [AD-018]", async () => {
    const browser = await world().signedIn();
    await post(browser, "/api/update", { theme: "dark" });
    expect(JSON.parse((await browser.request("/api/me")).text)).toMatchObject({ theme: "dark" });
  });
}

/** A refresh in an application of several bundles. */
export function refreshRows(host: DrivenHost): void {
  test("costs one refresh if 50 parallel requests find the token due, and each gets its result or the token still good [AD-020]", async () => {
    const lifetimes = { accessToken: 66 };
    const world = await worldOfTest(host, { provider: { lifetimes } });
    const browser = await world.signedIn();
    lifetimes.accessToken = 3600;
    const cookie = await browser.cookies();
    await world.pass(7.5);
    world.provider.clearRequests();
    const responses = await parallel(50, () => ask(world, "/api/token", cookie));
    expect(responses.map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect(new Set(responses.map(({ text }) => text)).size).toBeLessThanOrEqual(2);
    const refreshes = world.provider.requests.filter(({ path }) => path === "/token");
    expect(refreshes).toHaveLength(1);
    await browser.request("/api/token");
    expect((await browser.request("/api/token?refresh")).status).toBe(200);
  });
}

function parallelRows(host: DrivenHost): void {
  const { parallelRequests = 200 } = host;
  test(`never mixes two users with ${parallelRequests} parallel requests [AD-028]`, async () => {
    const world = await worldOfTest(host);
    const people = [
      { name: "Ada Okafor", browser: await world.signedIn("person-ada") },
      { name: "Ben Castellan", browser: await world.signedIn("person-ben") },
    ];
    const cookies = await Promise.all(people.map(({ browser }) => browser.cookies()));
    const paths = ["/private", "/api/me", "/"];
    const seen = await parallel(parallelRequests, async (index) => {
      const { text } = await ask(world, paths[index % 3] ?? "/", cookies[index % 2] ?? "");
      return people.filter(({ name }) => text.includes(name)).map(({ name }) => name);
    });
    expect(seen).toEqual(seen.map((_each, index) => [people[index % 2]?.name]));
  });
}

function ask(world: World, path: string, cookie: string) {
  return world.browser().request(path, { headers: { cookie } });
}

/** A request whose handler waits for the end of the body. */
function startUpload(baseURL: string, cookie: string): { end(): Promise<Response> } {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const headers = { cookie, "content-type": "application/octet-stream" };
  const init = { method: "POST", headers, body: readable, duplex: "half" } as const;
  const response = fetch(`${baseURL}/upload`, init);
  void writer.write(new Uint8Array(10));
  return {
    async end() {
      await writer.close();
      return response;
    },
  };
}

function post(browser: Browser, path: string, value: object) {
  const headers = { "content-type": "application/json" };
  return browser.request(path, { method: "POST", headers, body: JSON.stringify(value) });
}

function parallel<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => work(index)));
}
