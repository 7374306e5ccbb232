import type { Store } from "latchkey";
import { memoryStore } from "latchkey/memory";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";

import type { Browser } from "../browser.ts";
import { hosts } from "./world/hosts.ts";
import { type HostWorld, worldOfDescribe, worldOfTest } from "./world/host-world.ts";

/** With these nothing is protected: what handlers do to a session must reach the browser there as well. */
const everythingPublic = ["/", "/private", "/private/", "/api/", "/devices/", "/upload"];

const protections = [
  ["a protected path", {}],
  ["a public path", { publicPaths: everythingPublic }],
] as const;

describe.each(hosts)("the session on $name", (host) => {
  describe.each(protections)("on %s", (_, options) => {
    const world = worldOfDescribe({ app: host.app, options });

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
        expect(status).toBe(200);
        tokens.push(text);
      }
      expect(new Set(tokens).size).toBe(3);
    });

    test("[AD-019] a request that began before a refresh and ends after it does not bring the old tokens back", async () => {
      const browser = await world().signedIn();
      const upload = startUpload(world().baseURL, await browser.cookies());
      await pause(50);
      const refreshed = await browser.request("/api/token?refresh");
      for (const line of (await upload.end()).headers.getSetCookie()) {
        await browser.jar.setCookie(line, world().baseURL);
      }
      expect((await browser.request("/api/token")).text).toBe(refreshed.text);
    });

    test("[AD-017] a session that a handler has read is renewed in the browser", async () => {
      const browser = await world().signedIn();
      const { headers, text } = await browser.request("/private");
      expect(text).toBe("Private page of Ada Okafor");
      expect(sessionCookies(headers.getSetCookie())).toHaveLength(1);
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

  test("[AD-017] a public page that reads the session renews it, and says nothing where there is none", async () => {
    const world = await worldOfTest({ app: host.app });
    const browser = await world.signedIn();
    const { headers, text } = await browser.request("/");
    expect(text).toBe("Hello Ada Okafor");
    expect(sessionCookies(headers.getSetCookie())).toHaveLength(1);
    const stranger = await world.browser().request("/");
    expect([stranger.text, stranger.headers.getSetCookie()]).toEqual(["Hello stranger", []]);
  });

  test("[AD-016] a session is renewed when that is due, and not before", async () => {
    const options = { session: { renewAfter: 60 } };
    const world = await worldOfTest({ app: host.app, options });
    const browser = await world.signedIn();
    expect((await browser.request("/private")).headers.getSetCookie()).toEqual([]);
    world.advance(61);
    const due = await browser.request("/private");
    expect(due.headers.getSetCookie().map(nameOf)).toEqual(["appSession"]);
    expect((await browser.request("/private")).headers.getSetCookie()).toEqual([]);
  });

  test("[AD-016] mounted twice, sign-in renews and refreshes once and says everything once", async () => {
    const page = () => "the page";
    const world = await worldOfTest({ app: (auth) => host.catchAll([auth, auth], page) });
    const browser = await world.signedIn();
    const { headers, text } = await browser.request("/private");
    expect(text).toBe("the page");
    expect(headers.getSetCookie().map(nameOf)).toEqual(["appSession"]);
    expect([headers.get("cache-control"), headers.get("vary")]).toEqual([
      "private, no-store",
      "Cookie",
    ]);
    expect((await world.browser().request("/private")).status).toBe(302);
  });

  test("[AD-016] mounted twice, sign-in asks the store no more than mounted once", async () => {
    const calls = { once: 0, twice: 0 };
    for (const times of ["once", "twice"] as const) {
      const inner = memoryStore();
      const store = counting(inner, () => (calls[times] += 1));
      const world = await worldOfTest({
        app: (auth) => host.catchAll(times === "once" ? [auth] : [auth, auth], () => "the page"),
        options: { store, session: { stateful: true } },
      });
      const cookie = await (await world.signedIn()).cookies();
      calls[times] = 0;
      expect((await ask(world, "/private", cookie)).text).toBe("the page");
    }
    expect(calls.once).toBeGreaterThan(0);
    expect(calls.twice).toBe(calls.once);
  });

  test("[AD-020] 50 parallel requests that find the token due cost one refresh, and each gets its result or the token that is still good", async () => {
    const provider = { lifetimes: { accessToken: 100 } };
    const world = await worldOfTest({ app: host.app, provider });
    const browser = await world.signedIn();
    const cookie = await browser.cookies();
    world.advance(45);
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
    const world = await worldOfTest({ app: host.app });
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
    const expected = seen.map((_each, index) => [people[index % 2]?.name]);
    expect(seen).toEqual(expected);
  });
});

/** A store that tells of every call. */
function counting(store: Store, onCall: () => void): Store {
  return new Proxy(store, {
    get(target, name: keyof Store) {
      onCall();
      return target[name];
    },
  });
}

function ask(world: HostWorld, path: string, cookie: string) {
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

function sessionCookies(setCookies: readonly string[]): readonly string[] {
  return setCookies.filter((line) => nameOf(line) === "appSession");
}

function nameOf(setCookie: string): string {
  return setCookie.slice(0, setCookie.indexOf("="));
}
