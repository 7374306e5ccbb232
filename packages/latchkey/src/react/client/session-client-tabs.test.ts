import { describe, expect, test } from "vitest";
import type { Tab } from "../support/browser.support.ts";
import { ada, grace } from "../support/server.support.ts";
import { endsAt, openSignedInBrowser, stateOf } from "../support/tabs.support.ts";

const minute = 60_000;
const hour = 60 * minute;

describe("with several tabs", () => {
  test("extending sends one request for the person, and every tab learns the new end", async () => {
    const { server, clock, open } = openSignedInBrowser();
    const here = open(server.initialSession());
    const there = open(server.initialSession());
    await there.hide();
    await clock.advance(30_000);
    const extended = here.client.extend();
    await clock.advance(5);
    expect(await extended).toBe(true);
    expect(server.requests).toEqual(["/api/auth/me", "/_auth/session.json"]);
    expect(endsAt(here)).toBe(server.now() + 86_400);
    expect(endsAt(there)).toBe(endsAt(here));
  });

  test("two simultaneous extensions share one request and its failure", async () => {
    const { server, clock, open } = openSignedInBrowser();
    const { client } = open(server.initialSession());
    await Promise.all([client.extend(), client.extend()]);
    expect(server.requests).toHaveLength(2);
    server.override = () => "offline";
    expect(await client.extend()).toBe(false);
    expect(client.lastError()).toMatchObject({ name: "RequestError", status: 0 });
    await clock.advance(0);
  });

  test("five tabs becoming visible at the same moment share one request", async () => {
    const { server, clock, open } = openSignedInBrowser();
    const all = Array.from({ length: 5 }, () => open(server.initialSession()));
    await Promise.all(all.map((tab) => tab.hide()));
    clock.jump(2 * hour);
    server.latencyMs = 80;
    await Promise.all(all.map((tab) => tab.show()));
    await clock.advance(1_000);
    expect(server.requests).toEqual(["/_auth/session.json"]);
    await clock.advance(minute);
    expect(server.requests).toHaveLength(2);
  });

  test("after a tab's request without a response, another tab sends one", async () => {
    const { server, clock, open } = openSignedInBrowser();
    const all = [open(server.initialSession()), open(server.initialSession())];
    await Promise.all(all.map((tab) => tab.hide()));
    await clock.advance(hour);
    let first = true;
    server.override = () => (first ? ((first = false), "offline") : undefined);
    if (server.session) server.session.ended = "elsewhere";
    await Promise.all(all.map((tab) => tab.show()));
    await clock.advance(2_000);
    expect(all.map(stateOf)).toEqual(
      all.map(() => ({ status: "signed-out", user: null, ended: "elsewhere" })),
    );
  });

  test("a sign-out in one tab reaches the others with one request", async () => {
    const { server, clock, open } = openSignedInBrowser();
    const all = Array.from({ length: 4 }, () => open(server.initialSession()));
    const [leaving, ...others] = all;
    await others[0]?.hide();
    leaving?.client.announceSignOut();
    leaving?.close();
    server.session = null;
    await clock.advance(3_000);
    expect(others.map((tab) => stateOf(tab).status)).toEqual(others.map(() => "signed-out"));
    expect(server.requests).toEqual(["/_auth/session.json"]);
  });

  test("a sign-in in another tab is seen here, with the user", async () => {
    const { server, clock, open } = openSignedInBrowser();
    const here = open(null);
    open(server.initialSession());
    await clock.advance(3_000);
    expect(stateOf(here)).toMatchObject({ status: "signed-in", user: ada });
  });

  test("a repeated sign-in in another tab is seen here by the later end", async () => {
    const { server, clock, open } = openSignedInBrowser();
    const here = open(server.initialSession());
    await clock.advance(hour);
    server.signIn(ada);
    const there = open(server.initialSession());
    await clock.advance(3_000);
    expect(stateOf(here)).toMatchObject({
      status: "signed-in",
      times: { absoluteEndsAt: absoluteEnd(there) },
    });
  });

  test("another user in the same browser replaces the first with one request for all tabs", async () => {
    const { server, clock, open } = openSignedInBrowser();
    const all = [
      open(server.initialSession()),
      open(server.initialSession()),
      open(server.initialSession()),
    ];
    await clock.advance(30_000);
    server.signIn(grace);
    await clock.advance(40_000);
    expect(all.map((tab) => stateOf(tab).user?.sub)).toEqual(["grace", "grace", "grace"]);
    expect(server.requests.filter((path) => path === "/api/auth/me")).toHaveLength(1);
  });

  test("tabs in the same state send no request on arrival", async () => {
    const { server, clock, open } = openSignedInBrowser();
    open(server.initialSession());
    open(server.initialSession());
    await clock.advance(10_000);
    expect(server.requests).toEqual([]);
  });
});

function absoluteEnd(tab: Tab): number | null {
  const state = stateOf(tab);
  return state.status === "signed-in" ? state.times.absoluteEndsAt : null;
}
