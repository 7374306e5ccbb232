import { describe, expect, test } from "vitest";

import { lookUp } from "../../src/connections/index.ts";
import {
  arrive,
  begin,
  callsTo,
  type HostName,
  hosts,
  settingsAt,
  startTwoProviders,
} from "./two-providers.ts";

const hostNames = Object.keys(hosts) as HostName[];
const callback = "/api/auth/callback";

/** The ways in which a response may arrive, by settings of the client. */
const ways = {
  query: {},
  form_post: { responseMode: "form_post" },
  "a pushed request": { pushedAuthorizationRequests: true },
} as const;

describe.each(hostNames)("on %s", (host) => {
  describe.each(Object.entries(ways))("with %s", (_, way) => {
    test("each response is finished at the address of its client [MX-025, MX-032]", async () => {
      const world = await startTwoProviders({ host, options: way, globex: way });
      const browser = world.browser();
      const one = await begin(world, browser, "/api/auth/login/default?returnTo=/one");
      const other = await begin(world, browser, "/api/auth/login/globex?returnTo=/other");
      expect(new URL(one.returned.url).pathname).toBe(callback);
      expect(new URL(other.returned.url).pathname).toBe(`${callback}/globex`);
      expect(await arrive(browser, other.returned)).toMatchObject({
        location: `${world.baseURL}/other`,
      });
      expect(await arrive(browser, one.returned)).toMatchObject({
        location: `${world.baseURL}/one`,
      });
      expect(
        [callsTo(world.first), callsTo(world.second)].map((calls) => calls.includes("token")),
      ).toEqual([true, true]);
    });
  });
});

test.each(Object.entries(ways))(
  "with %s a response at the address of another client is refused without a call, and both sign-ins can be finished [MX-026]",
  async (_, way) => {
    const world = await startTwoProviders({ options: way, globex: way });
    const browser = world.browser();
    const one = await begin(world, browser, "/api/auth/login/default?returnTo=/one");
    const other = await begin(world, browser, "/api/auth/login/globex?returnTo=/other");
    world.first.resetLog();
    world.second.resetLog();
    const before = await browser.cookies();
    for (const [begun, path] of [
      [other, callback],
      [one, `${callback}/globex`],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const refused = await arrive(browser, begun.returned, path);
      expect([refused.status, refused.headers.getSetCookie()]).toEqual([400, []]);
      expect(world.problems.at(-1)).toMatchObject({ reason: "connection_mismatch" });
    }
    expect([callsTo(world.first), callsTo(world.second)]).toEqual([[], []]);
    expect(await browser.cookies()).toBe(before);
    expect(await arrive(browser, one.returned)).toMatchObject({
      location: `${world.baseURL}/one`,
    });
    expect(await arrive(browser, other.returned)).toMatchObject({
      location: `${world.baseURL}/other`,
    });
  },
);

test("a failure names the variable of its connection, not that of the flat settings", async () => {
  const world = await startTwoProviders();
  world.serve({
    connections: { globex: { ...settingsAt(world.second), issuerBaseURL: "https://127.0.0.1:1" } },
  });
  await world.browser().request("/api/auth/login/globex");
  const detail = world.events.flatMap((each) => (each.event === "refusal" ? each.detail : []));
  expect(detail).toEqual([
    expect.stringMatching(/check LATCHKEY_CONNECTION_GLOBEX_ISSUER_BASE_URL$/),
  ]);
});

describe("beside a connection whose responses are posted", () => {
  const attributesIn = (headers: Headers) =>
    headers.getSetCookie().map((line) => /SameSite=(\w+)/.exec(line)?.[1]);

  test("the pending login of another one needs no cookie from other sites, and both finish [MX-032]", async () => {
    const world = await startTwoProviders({ globex: ways.form_post });
    const browser = world.browser();
    const posted = await begin(world, browser, "/api/auth/login/globex?returnTo=/posted");
    const inQuery = await begin(world, browser, "/api/auth/login/default?returnTo=/query");
    expect(attributesIn(posted.login.headers)).toEqual(["None"]);
    expect(attributesIn(inQuery.login.headers)).toEqual(["Lax"]);
    for (const [{ returned }, page] of [
      [posted, "/posted"],
      [inQuery, "/query"],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const finished = await arrive(browser, returned);
      expect(finished.location).toBe(`${world.baseURL}${page}`);
    }
  });

  test("a connection which was looked up may have its responses posted [MX-032]", async () => {
    const world = await startTwoProviders();
    const found = { ...settingsAt(world.second), ...ways.form_post };
    world.serve({ connections: lookUp({ byID: () => found, issuers: () => true }) });
    const browser = world.browser();
    const posted = await begin(world, browser, "/api/auth/login/acme?returnTo=/posted");
    expect(posted.returned.method).toBe("POST");
    expect(await arrive(browser, posted.returned)).toMatchObject({
      location: `${world.baseURL}/posted`,
    });
  });
});

test("a redirect URI of its own for `default` leaves those of the other clients [MX-102]", async () => {
  const routes = { callback: "/api/auth/callback/okta" };
  const world = await startTwoProviders({ options: { routes } });
  const browser = world.browser();
  const one = await begin(world, browser, "/api/auth/login/default?returnTo=/one");
  expect(new URL(one.returned.url).pathname).toBe("/api/auth/callback/okta");
  const other = await begin(world, browser, "/api/auth/login/globex?returnTo=/other");
  expect(new URL(other.returned.url).pathname).toBe("/api/auth/callback/globex");
  const moved = await arrive(browser, other.returned, "/api/auth/callback/okta");
  expect(moved.status).toBe(400);
  expect((await arrive(browser, other.returned)).location).toBe(`${world.baseURL}/other`);
  expect((await arrive(browser, one.returned)).location).toBe(`${world.baseURL}/one`);
  for (const path of ["/api/auth/callback", "/api/auth/callback/okta/globex"]) {
    expect((await browser.request(`${path}?code=x&state=y`)).status).toBe(404);
  }
});
