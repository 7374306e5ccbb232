import { afterEach, describe, expect, test } from "vitest";
import type { Claims } from "./claims.ts";
import type { SessionState } from "./session-state.ts";
import { ada } from "../support/server.support.ts";
import { createTestBrowser, type Tab, type TestBrowser } from "../support/browser.support.ts";

const minute = 60_000;
const hour = 60 * minute;
const tabs: Tab[] = [];

afterEach(() => {
  for (const tab of tabs.splice(0)) tab.close();
});

function signedInBrowser(skewSeconds = 0): TestBrowser {
  const browser = createTestBrowser(skewSeconds);
  browser.server.signIn(ada);
  return { ...browser, open: (seed) => remember(browser.open(seed)) };
}

function remember(tab: Tab): Tab {
  tabs.push(tab);
  return tab;
}

function stateOf(tab: Tab): SessionState<Claims> {
  return tab.client.getSnapshot();
}

function endsAt(tab: Tab): number | null {
  const state = stateOf(tab);
  return state.status === "signed-in" ? state.times.endsAt : null;
}

describe("on arrival", () => {
  test("a seeded page knows the person before anything is asked, and asks nothing", async () => {
    const { server, clock, open } = signedInBrowser();
    const tab = open(server.initialSession());
    expect(stateOf(tab)).toMatchObject({ status: "signed-in", user: ada, stale: false });
    await clock.advance(30_000);
    expect(server.requests).toEqual([]);
  });

  test("a page seeded with null is signed out and never asks by itself", async () => {
    const { server, clock, open } = signedInBrowser();
    const tab = open(null);
    expect(stateOf(tab).status).toBe("signed-out");
    await clock.advance(3 * hour);
    expect(server.requests).toEqual([]);
  });

  test("a page seeded with an ended session says why", () => {
    const { open } = signedInBrowser();
    expect(stateOf(open({ ended: "elsewhere" }))).toMatchObject({ ended: "elsewhere" });
  });

  test("a page without a seed asks once for the person and once for the times", async () => {
    const { server, clock, open } = signedInBrowser();
    const tab = open();
    expect(stateOf(tab).status).toBe("loading");
    await clock.advance(0);
    expect(stateOf(tab)).toMatchObject({
      status: "signed-in",
      user: ada,
      times: { rollingDuration: 86_400, absoluteDuration: 604_800 },
    });
    expect(server.requests).toEqual(["/api/auth/me", "/_auth/session.json"]);
  });

  test("a page seeded with the person alone asks for the times", async () => {
    const { server, clock, open } = signedInBrowser();
    const tab = open({ user: ada });
    expect(stateOf(tab)).toMatchObject({ status: "signed-in", times: { endsAt: null } });
    await clock.advance(0);
    expect(endsAt(tab)).toBe(server.now() + 86_400);
    expect(server.requests).toEqual(["/_auth/session.json"]);
  });

  test("a 204 is signed out", async () => {
    const { server, clock, open } = signedInBrowser();
    server.session = null;
    const tab = open();
    await clock.advance(0);
    expect(stateOf(tab)).toEqual({ status: "signed-out", user: null });
  });

  test("an ended session is told with its reason", async () => {
    const { server, clock, open } = signedInBrowser();
    if (server.session) server.session.ended = "refused";
    const tab = open();
    await clock.advance(0);
    expect(stateOf(tab)).toEqual({ status: "signed-out", user: null, ended: "refused" });
  });

  test("the person is shown although the times are missing, which are asked for again", async () => {
    const { server, clock, open } = signedInBrowser();
    server.fault = (path) => (path === "/_auth/session.json" ? "offline" : undefined);
    const tab = open();
    await clock.advance(0);
    expect(stateOf(tab)).toMatchObject({ status: "signed-in", user: ada, stale: true });
    expect(endsAt(tab)).toBeNull();
    server.fault = undefined;
    await clock.advance(1_000);
    expect(stateOf(tab)).toMatchObject({ stale: false });
    expect(endsAt(tab)).toBe(server.now() + 86_400 - 1);
    expect(server.requests.filter((path) => path === "/api/auth/me")).toHaveLength(1);
  });

  test("one lost request is forgiven, then the fault is told, and retry works", async () => {
    const { server, clock, open } = signedInBrowser();
    server.fault = () => new Response("gateway", { status: 502 });
    const tab = open();
    await clock.advance(0);
    expect(stateOf(tab).status).toBe("loading");
    await clock.advance(1_000);
    expect(stateOf(tab)).toMatchObject({
      status: "loading",
      error: { status: 502, message: "GET /api/auth/me brought no usable response (status 502)." },
    });
    server.fault = undefined;
    const refetched = tab.client.refetch();
    expect(stateOf(tab)).toEqual({ status: "loading", user: null });
    await clock.advance(0);
    expect(await refetched).toBe(true);
    expect(stateOf(tab)).toMatchObject({ status: "signed-in", user: ada });
  });

  test("after a fault it tries again by itself, ever less often", async () => {
    const { server, clock, open } = signedInBrowser();
    server.fault = () => "offline";
    const tab = open();
    await clock.advance(10 * minute);
    expect(server.requests.length).toBeLessThan(2 * 20);
    server.fault = undefined;
    await clock.advance(minute);
    expect(stateOf(tab).status).toBe("signed-in");
  });

  test("listening twice, as React's strict mode does, asks once", async () => {
    const { server, clock, open } = signedInBrowser();
    const tab = open();
    tab.close();
    tab.close = tab.client.subscribe(() => undefined);
    await clock.advance(0);
    expect(server.requests).toHaveLength(2);
  });

  test("no request waits for ever, comes out of a cache, or follows a redirect", async () => {
    const { clock, open, server } = signedInBrowser();
    open();
    await clock.advance(0);
    expect(server.sent).toMatchObject({ redirect: "error", cache: "no-store" });
    expect(server.sent?.signal).toBeInstanceOf(AbortSignal);
  });
});

describe("while the page is open", () => {
  test("a visible tab asks every minute, renews nothing, and renders nothing new", async () => {
    const { server, clock, open } = signedInBrowser();
    const tab = open(server.initialSession());
    const before = endsAt(tab);
    await clock.advance(5 * minute);
    expect(server.requests).toEqual(Array.from({ length: 5 }, () => "/_auth/session.json"));
    expect(endsAt(tab)).toBe(before);
    expect(tab.changes).toBe(0);
  });

  test("a hidden tab asks nothing", async () => {
    const { server, clock, open } = signedInBrowser();
    const tab = open(server.initialSession());
    await tab.hide();
    await clock.advance(3 * hour);
    expect(server.requests).toEqual([]);
  });

  test("shows within a minute that the session was ended elsewhere", async () => {
    const { server, clock, open } = signedInBrowser();
    const tab = open(server.initialSession());
    await clock.advance(30_000);
    if (server.session) server.session.ended = "elsewhere";
    await clock.advance(minute);
    expect(stateOf(tab)).toEqual({ status: "signed-out", user: null, ended: "elsewhere" });
  });

  test("shows on focus at once that the session was ended elsewhere", async () => {
    const { server, clock, open } = signedInBrowser();
    const tab = open(server.initialSession());
    await tab.hide();
    await clock.advance(hour);
    if (server.session) server.session.ended = "elsewhere";
    await tab.show();
    await clock.advance(200);
    expect(stateOf(tab)).toMatchObject({ ended: "elsewhere" });
  });

  test("why a session ended is not forgotten when its cookie is gone", async () => {
    const { server, clock, open } = signedInBrowser();
    const tab = open(server.initialSession());
    if (server.session) server.session.ended = "elsewhere";
    await clock.advance(minute);
    server.session = null;
    await clock.advance(minute);
    await tab.show();
    await clock.advance(200);
    expect(stateOf(tab)).toMatchObject({ status: "signed-out", ended: "elsewhere" });
  });

  test("focus, visibility and network coming together make one request", async () => {
    const { server, clock, open } = signedInBrowser();
    const tab = open(server.initialSession());
    await clock.advance(10_000);
    await Promise.all([tab.emit("active"), tab.emit("active"), tab.emit("active")]);
    await clock.advance(500);
    expect(server.requests).toHaveLength(1);
  });

  test("coming back again and again asks once a second at most, and is not forgotten", async () => {
    const { server, clock, open } = signedInBrowser();
    const tab = open(server.initialSession());
    await clock.advance(10_000);
    await tab.emit("active");
    await clock.advance(300);
    if (server.session) server.session.ended = "elsewhere";
    await tab.emit("active");
    await tab.emit("active");
    await clock.advance(300);
    expect(stateOf(tab).status).toBe("signed-in");
    await clock.advance(900);
    expect(stateOf(tab)).toMatchObject({ ended: "elsewhere" });
    expect(server.requests).toHaveLength(2);
  });

  test.each([
    ["no network", "offline"],
    ["500", 500],
    ["401", 401],
    ["404", 404],
    ["a page instead of JSON", "<!doctype html>"],
    ["JSON of another form", '{"state":"signed-in"}'],
  ])("%s signs nobody out: the last known person stays, marked stale", async (_, fault) => {
    const { server, clock, open } = signedInBrowser();
    const tab = open(server.initialSession());
    server.fault = () =>
      fault === "offline"
        ? fault
        : typeof fault === "number"
          ? new Response(null, { status: fault })
          : new Response(fault);
    await clock.advance(10 * minute);
    expect(stateOf(tab)).toMatchObject({ status: "signed-in", user: ada, stale: true });
    server.fault = undefined;
    await tab.show();
    await clock.advance(200);
    expect(stateOf(tab)).toMatchObject({ status: "signed-in", user: ada, stale: false });
  });

  test("an expired cookie is an end by rest, or by age", async () => {
    for (const [rolling, absolute, reason] of [
      [1_800, 604_800, "idle"],
      [86_400, 3_600, "max-age"],
    ] as const) {
      const { server, clock, open } = signedInBrowser();
      Object.assign(server, { rolling, absolute });
      const tab = open(server.initialSession());
      // oxlint-disable-next-line no-await-in-loop -- two runs, one after the other
      await clock.advance(Math.min(rolling, absolute) * 1000 - 500);
      server.session = null;
      // oxlint-disable-next-line no-await-in-loop -- as above
      await clock.advance(1_600);
      expect(stateOf(tab)).toMatchObject({ status: "signed-out", ended: reason });
    }
  });

  test("counts by the server's clock although the device's is an hour ahead", async () => {
    const { server, clock, open } = signedInBrowser(-3_600);
    const tab = open();
    await clock.advance(0);
    expect(Math.abs(tab.client.now() - server.now())).toBeLessThan(1);
    await clock.advance(minute);
    expect(stateOf(tab).status).toBe("signed-in");
  });

  test("a device put back by an hour still believes what the server says", async () => {
    const { server, clock, open } = signedInBrowser();
    const tab = open(server.initialSession());
    clock.jump(-hour);
    if (server.session) server.session.ended = "elsewhere";
    await clock.advance(minute);
    expect(stateOf(tab)).toMatchObject({ ended: "elsewhere" });
  });

  test("waking after the end shows the end within seconds", async () => {
    const { server, clock, open } = signedInBrowser();
    server.rolling = 1_800;
    const tab = open(server.initialSession());
    await clock.advance(20_000);
    clock.jump(3 * hour);
    await clock.advance(5_000);
    expect(stateOf(tab)).toMatchObject({ status: "signed-out", ended: "idle" });
  });

  test("asks before a warning is due, also when hidden, since the session may live on", async () => {
    const { server, clock, open } = signedInBrowser();
    server.rolling = 1_800;
    const tab = open(server.initialSession());
    await tab.hide();
    await clock.advance(1_000_000);
    server.use();
    const extendedTo = server.now() + 1_800;
    await clock.advance(676_000);
    expect(endsAt(tab)).toBe(extendedTo);
    expect(server.requests).toHaveLength(1);
  });

  test("an answer that was overtaken by a newer one is ignored", async () => {
    const { server, clock, open } = signedInBrowser();
    const tab = open(server.initialSession());
    server.latencyMs = 5_000;
    const slow = tab.client.refetch();
    await clock.advance(1_000);
    server.latencyMs = 0;
    server.rolling = 90_000;
    const seen = endsAt(tab);
    await tab.client.extend();
    const extended = endsAt(tab);
    expect(extended).not.toBe(seen);
    server.rolling = 86_400;
    await clock.advance(5_000);
    await slow;
    expect(endsAt(tab)).toBe(extended);
  });
});

describe("a page that comes back out of the browser's memory", () => {
  test("shows nothing before the server has said that the person is still here", async () => {
    const { server, clock, open } = signedInBrowser();
    const tab = open(server.initialSession());
    await tab.emit("cached");
    expect(tab.contentHidden).toBe(true);
    server.latencyMs = 50;
    await tab.emit("restored");
    expect(tab.contentHidden).toBe(true);
    await clock.advance(50);
    expect(tab.contentHidden).toBe(false);
    expect(tab.reloads).toBe(0);
  });

  test("is loaded anew when the person has gone, and stays hidden until then", async () => {
    const { server, clock, open } = signedInBrowser();
    const tab = open(server.initialSession());
    await tab.emit("cached");
    server.session = null;
    await tab.emit("restored");
    await clock.advance(0);
    expect(tab.reloads).toBe(1);
    expect(tab.contentHidden).toBe(true);
  });

  test("is loaded anew also when another tab told of the sign-out first", async () => {
    const { server, clock, open } = signedInBrowser();
    const tab = open(server.initialSession());
    await tab.emit("cached");
    server.session = null;
    const other = open();
    await clock.advance(100);
    expect(stateOf(tab).status).toBe("signed-out");
    await tab.emit("restored");
    await clock.advance(100);
    expect(tab.reloads).toBe(1);
    expect(stateOf(other).status).toBe("signed-out");
  });

  test("is shown when the server cannot be asked", async () => {
    const { server, clock, open } = signedInBrowser();
    const tab = open(server.initialSession());
    await tab.emit("cached");
    server.fault = () => "offline";
    await tab.emit("restored");
    await clock.advance(0);
    expect(tab.contentHidden).toBe(false);
    expect(stateOf(tab)).toMatchObject({ status: "signed-in", stale: true });
  });

  test("when nobody was signed in, is shown at once and learns of a sign-in", async () => {
    const { server, clock, open } = signedInBrowser();
    const tab = open(null);
    await tab.emit("cached");
    expect(tab.contentHidden).toBe(false);
    await tab.emit("restored");
    await clock.advance(0);
    expect(stateOf(tab)).toMatchObject({ status: "signed-in", user: ada });
    expect(server.requests).toHaveLength(2);
  });
});
