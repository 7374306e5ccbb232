import { describe, expect, test } from "vitest";
import { ada } from "../support/server.support.ts";
import { endsAt, openSignedInBrowser, openSignedInTab, stateOf } from "../support/tabs.support.ts";
import { createSessionClient } from "./session-client.ts";

const minute = 60_000;
const hour = 60 * minute;

describe("on arrival", () => {
  test("a page with an initial session knows the user and sends no request", async () => {
    const { server, clock, tab } = openSignedInTab();
    expect(stateOf(tab)).toMatchObject({ status: "signed-in", user: ada, stale: false });
    await clock.advance(30_000);
    expect(server.requests).toEqual([]);
  });

  test("a page whose initial session is null is signed out and never sends a request", async () => {
    const { server, clock, open } = openSignedInBrowser();
    const tab = open(null);
    expect(stateOf(tab).status).toBe("signed-out");
    await clock.advance(3 * hour);
    expect(server.requests).toEqual([]);
  });

  test("a page whose initial session has ended knows the reason", () => {
    const { open } = openSignedInBrowser();
    expect(stateOf(open({ ended: "elsewhere" }))).toMatchObject({ ended: "elsewhere" });
  });

  test("a page without an initial session sends one request for the user and one for the times", async () => {
    const { server, clock, open } = openSignedInBrowser();
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

  test("a request carries the cookies of the server, also to another origin", async () => {
    const { server, clock, open } = openSignedInBrowser();
    open();
    await clock.advance(0);
    expect(server.sent?.credentials).toBe("include");
  });

  test("a page whose initial session is the user alone requests the times", async () => {
    const { server, clock, open } = openSignedInBrowser();
    const tab = open({ user: ada });
    expect(stateOf(tab)).toMatchObject({ status: "signed-in", times: { endsAt: null } });
    await clock.advance(0);
    expect(endsAt(tab)).toBe(server.now() + 86_400);
    expect(server.requests).toEqual(["/_auth/session.json"]);
  });

  test("a client without an initial session reads no clock, for prerendered pages", () => {
    const clock = {
      now(): number {
        throw new Error("The clock was read.");
      },
      after: () => () => {},
    };
    expect(createSessionClient({ clock }).getServerSnapshot().status).toBe("loading");
  });

  test("a response with status 204 means signed out", async () => {
    const { server, clock, open } = openSignedInBrowser();
    server.session = null;
    const tab = open();
    await clock.advance(0);
    expect(stateOf(tab)).toEqual({ status: "signed-out", user: null });
  });

  test("the state of an ended session carries the reason", async () => {
    const { server, clock, open } = openSignedInBrowser();
    if (server.session) server.session.ended = "unreadable";
    const tab = open();
    await clock.advance(0);
    expect(stateOf(tab)).toEqual({ status: "signed-out", user: null, ended: "unreadable" });
  });

  test("the user is known while the missing times are requested again", async () => {
    const { server, clock, open } = openSignedInBrowser();
    server.override = (path) => (path === "/_auth/session.json" ? "offline" : undefined);
    const tab = open();
    await clock.advance(0);
    expect(stateOf(tab)).toMatchObject({ status: "signed-in", user: ada, stale: true });
    expect(endsAt(tab)).toBeNull();
    server.override = undefined;
    await clock.advance(1_000);
    expect(stateOf(tab)).toMatchObject({ stale: false });
    expect(endsAt(tab)).toBe(server.now() + 86_400 - 1);
    expect(server.requests.filter((path) => path === "/api/auth/me")).toHaveLength(1);
  });

  test("the first failed request is not shown, the second is, and refetch() tries again", async () => {
    const { server, clock, open } = openSignedInBrowser();
    server.override = () => new Response("gateway", { status: 502 });
    const tab = open();
    await clock.advance(0);
    expect(stateOf(tab).status).toBe("loading");
    await clock.advance(1_000);
    expect(stateOf(tab)).toMatchObject({
      status: "loading",
      error: { status: 502, message: "GET /api/auth/me brought no usable response (status 502)." },
    });
    server.override = undefined;
    const refetched = tab.client.refetch();
    expect(stateOf(tab)).toEqual({ status: "loading", user: null });
    await clock.advance(0);
    expect(await refetched).toBe(true);
    expect(stateOf(tab)).toMatchObject({ status: "signed-in", user: ada });
  });

  test("after a failure the client tries again by itself, less and less often", async () => {
    const { server, clock, open } = openSignedInBrowser();
    server.override = () => "offline";
    const tab = open();
    await clock.advance(10 * minute);
    expect(server.requests.length).toBeLessThan(2 * 20);
    server.override = undefined;
    await clock.advance(minute);
    expect(stateOf(tab).status).toBe("signed-in");
  });

  test("every request has a time limit, bypasses the cache and follows no redirect", async () => {
    const { clock, open, server } = openSignedInBrowser();
    open();
    await clock.advance(0);
    expect(server.sent).toMatchObject({ redirect: "error", cache: "no-store" });
    expect(server.sent?.signal).toBeInstanceOf(AbortSignal);
  });
});

describe("while the page is open", () => {
  test("a visible tab polls every minute without renewing the session or notifying subscribers", async () => {
    const { server, clock, tab } = openSignedInTab();
    const before = endsAt(tab);
    await clock.advance(5 * minute);
    expect(server.requests).toEqual(Array.from({ length: 5 }, () => "/_auth/session.json"));
    expect(endsAt(tab)).toBe(before);
    expect(tab.changes).toBe(0);
  });

  test("a hidden tab sends no request", async () => {
    const { server, clock, tab } = openSignedInTab();
    await tab.hide();
    await clock.advance(3 * hour);
    expect(server.requests).toEqual([]);
  });

  test("the end of a session elsewhere is noticed within a minute", async () => {
    const { server, clock, tab } = openSignedInTab();
    await clock.advance(30_000);
    if (server.session) server.session.ended = "elsewhere";
    await clock.advance(minute);
    expect(stateOf(tab)).toEqual({ status: "signed-out", user: null, ended: "elsewhere" });
  });

  test("the end of a session elsewhere is noticed when the tab becomes visible", async () => {
    const { server, clock, tab } = openSignedInTab();
    await tab.hide();
    await clock.advance(hour);
    if (server.session) server.session.ended = "elsewhere";
    await tab.show();
    await clock.advance(200);
    expect(stateOf(tab)).toMatchObject({ ended: "elsewhere" });
  });

  test("the reason why a session ended stays known when its cookie is gone", async () => {
    const { server, clock, tab } = openSignedInTab();
    if (server.session) server.session.ended = "elsewhere";
    await clock.advance(minute);
    server.session = null;
    await clock.advance(minute);
    await tab.show();
    await clock.advance(200);
    expect(stateOf(tab)).toMatchObject({ status: "signed-out", ended: "elsewhere" });
  });

  test("focus, visibility and network at the same moment cause one request", async () => {
    const { server, clock, tab } = openSignedInTab();
    await clock.advance(10_000);
    await Promise.all([tab.emit("active"), tab.emit("active"), tab.emit("active")]);
    await clock.advance(500);
    expect(server.requests).toHaveLength(1);
  });

  test("repeated returns to the tab cause at most one request a second, and the last one counts", async () => {
    const { server, clock, tab } = openSignedInTab();
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
  ])("a failure (%s) keeps the user, marked stale", async (_, failure) => {
    const { server, clock, tab } = openSignedInTab();
    server.override = () =>
      failure === "offline"
        ? failure
        : typeof failure === "number"
          ? new Response(null, { status: failure })
          : new Response(failure);
    await clock.advance(10 * minute);
    expect(stateOf(tab)).toMatchObject({ status: "signed-in", user: ada, stale: true });
    server.override = undefined;
    await tab.show();
    await clock.advance(200);
    expect(stateOf(tab)).toMatchObject({ status: "signed-in", user: ada, stale: false });
  });

  test("the reason for an expired cookie is idle or max-age, by the earlier end", async () => {
    for (const [rolling, absolute, reason] of [
      [1_800, 604_800, "idle"],
      [86_400, 3_600, "max-age"],
    ] as const) {
      const { server, clock, open } = openSignedInBrowser();
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

  test("a device whose clock is an hour ahead uses the server's clock", async () => {
    const { server, clock, open } = openSignedInBrowser(-3_600);
    const tab = open();
    await clock.advance(0);
    expect(Math.abs(tab.client.now() - server.now())).toBeLessThan(1);
    await clock.advance(minute);
    expect(stateOf(tab).status).toBe("signed-in");
  });

  test("responses count although the device's clock was put back by an hour", async () => {
    const { server, clock, tab } = openSignedInTab();
    clock.jump(-hour);
    if (server.session) server.session.ended = "elsewhere";
    await clock.advance(minute);
    expect(stateOf(tab)).toMatchObject({ ended: "elsewhere" });
  });

  test("a device waking up after the end notices it within seconds", async () => {
    const { server, clock, open } = openSignedInBrowser();
    server.rolling = 1_800;
    const tab = open(server.initialSession());
    await clock.advance(20_000);
    clock.jump(3 * hour);
    await clock.advance(5_000);
    expect(stateOf(tab)).toMatchObject({ status: "signed-out", ended: "idle" });
  });

  test("a request precedes each warning, in a hidden tab too", async () => {
    const { server, clock, open } = openSignedInBrowser();
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

  test("a response older than what is known is ignored", async () => {
    const { server, clock, tab } = openSignedInTab();
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

describe("a page out of the back/forward cache", () => {
  test("it shows nothing before the server has confirmed the user", async () => {
    const { server, clock, tab } = openSignedInTab();
    await tab.emit("cached");
    expect(tab.page.contentHidden).toBe(true);
    server.latencyMs = 50;
    await tab.emit("restored");
    expect(tab.page.contentHidden).toBe(true);
    await clock.advance(50);
    expect(tab.page.contentHidden).toBe(false);
    expect(tab.page.reloads).toBe(0);
  });

  test("it is reloaded, and stays hidden until then, if the user is signed out", async () => {
    const { server, clock, tab } = openSignedInTab();
    await tab.emit("cached");
    server.session = null;
    await tab.emit("restored");
    await clock.advance(0);
    expect(tab.page.reloads).toBe(1);
    expect(tab.page.contentHidden).toBe(true);
  });

  test("it is reloaded also when another tab has reported the sign-out first", async () => {
    const { server, clock, open, tab } = openSignedInTab();
    await tab.emit("cached");
    server.session = null;
    const other = open();
    await clock.advance(100);
    expect(stateOf(tab).status).toBe("signed-out");
    await tab.emit("restored");
    await clock.advance(100);
    expect(tab.page.reloads).toBe(1);
    expect(stateOf(other).status).toBe("signed-out");
  });

  test("it is shown when the server is not reached", async () => {
    const { server, clock, tab } = openSignedInTab();
    await tab.emit("cached");
    server.override = () => "offline";
    await tab.emit("restored");
    await clock.advance(0);
    expect(tab.page.contentHidden).toBe(false);
    expect(stateOf(tab)).toMatchObject({ status: "signed-in", stale: true });
  });

  test("it is shown immediately if no user was signed in, and notices a sign-in", async () => {
    const { server, clock, open } = openSignedInBrowser();
    const tab = open(null);
    await tab.emit("cached");
    expect(tab.page.contentHidden).toBe(false);
    await tab.emit("restored");
    await clock.advance(0);
    expect(stateOf(tab)).toMatchObject({ status: "signed-in", user: ada });
    expect(server.requests).toHaveLength(2);
  });
});
