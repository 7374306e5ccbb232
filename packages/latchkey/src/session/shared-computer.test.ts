import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";

import type { Browser } from "../../test/browser/browser.ts";
import { problemIn, showSession, startWorld } from "../../test/worlds/world.ts";
import { createAuth, type Options } from "../host/auth.ts";
import type { Session } from "./session.ts";

/** A world, and a browser in it that is signed in on a shared computer. */
async function sharedWorld(options: Partial<Options> = {}) {
  const world = await startWorld({ options, app: showSession });
  return { world, browser: await signIn(world.browser()) };
}

async function signIn(browser: Browser, login = "/api/auth/login?shared=1") {
  const { address, init } = await browser.untilCallback(login, "person-ada");
  await browser.request(address, init);
  return browser;
}

async function sessionOf(browser: Browser): Promise<Session | null> {
  return JSON.parse((await browser.request("/")).text) as Session | null;
}

const isSignedIn = async (browser: Browser) =>
  (await browser.request("/api/auth/me")).status === 200;

describe.each([[false], [true]])("on a shared computer, sessions in the store: %s", (stateful) => {
  test("the cookie ends with the browser, also after it was renewed", async () => {
    const { world, browser } = await sharedWorld({ session: { stateful } });
    world.advance(120);
    const { headers } = await browser.request("/api/auth/me");
    const line = headers.getSetCookie().find((each) => each.startsWith("appSession")) ?? "";
    expect(line).toMatch(/^appSession(?:\.0)?=[^;]/);
    expect(line).not.toMatch(/expires|max-age/i);
  });

  test("a session ends after 15 minutes without use, and not before", async () => {
    const { world, browser } = await sharedWorld({ session: { stateful, renewAfter: 3600 } });
    world.advance(890);
    expect(await isSignedIn(browser)).toBe(true);
    world.advance(890);
    expect(await isSignedIn(browser)).toBe(true);
    world.advance(901);
    const look = JSON.parse((await browser.request("/_auth/session.json")).text);
    expect(look).toMatchObject({ state: "ended", reason: "idle" });
  });

  test("a further sign-in in its place does not last longer", async () => {
    const { browser } = await sharedWorld({ session: { stateful } });
    await signIn(browser, "/api/auth/login");
    const { times } = (await sessionOf(browser)) as Session;
    expect(times).toMatchObject({ shared: true, rollingEndsAt: times.updatedAt + 900 });
  });
});

test("a change of the data does not lengthen the session of a shared computer", async () => {
  const world = await startWorld({
    async app(request, auth) {
      const session = await auth.of(request).update((data) => ({ ...data, count: 1 }));
      return Response.json(session?.times);
    },
  });
  const browser = await signIn(world.browser());
  const times = JSON.parse((await browser.request("/")).text);
  expect(times).toMatchObject({ shared: true, endsAt: times.updatedAt + 900 });
});

test("a session of a shared computer ends earlier if the settings are shorter", async () => {
  const { browser } = await sharedWorld({ session: { rollingDuration: 300 } });
  const { times } = (await sessionOf(browser)) as Session;
  expect(times.endsAt - times.updatedAt).toBe(300);
});

test("a session of a shared computer ends without use even if sessions do not roll", async () => {
  const session = { rolling: false, rollingDuration: false, absoluteDuration: 86_400 } as const;
  const { world, browser } = await sharedWorld({ session });
  world.advance(901);
  expect(await isSignedIn(browser)).toBe(false);
});

test("signing out on a shared computer waits for the metadata of a slow provider", async () => {
  const { world, browser } = await sharedWorld();
  const slowFetch: typeof fetch = async (...request) => {
    await setTimeout(300);
    return fetch(...request);
  };
  const cold = createAuth({ ...world.options, fetch: slowFetch });
  const headers = { cookie: await browser.cookies() };
  const request = new Request(`${world.baseURL}/api/auth/logout`, { headers });
  const response = await cold.respond(request, () => new Response());
  expect(new URL(response.headers.get("location") ?? "").pathname).toBe("/session/end");
});

test("a sign-in on a shared computer that is started again remains one", async () => {
  const world = await startWorld();
  const lost = world.browser();
  const { address } = await lost.untilCallback("/api/auth/login?shared=1");
  const answer = await world.browser().request(address);
  const { searchParams } = new URL(problemIn(answer).redirectTo ?? "");
  expect([searchParams.get("restart"), searchParams.get("shared")]).toEqual(["1", "1"]);
});

test.each(["", "?shared=0", "?shared=true"])(
  "a login with the query %j is for a computer of one's own",
  async (query) => {
    const world = await startWorld({ app: showSession });
    const browser = await signIn(world.browser(), `/api/auth/login${query}`);
    expect((await sessionOf(browser))?.times).not.toHaveProperty("shared");
  },
);

test("a handler starts a sign-in for a shared computer", async () => {
  const world = await startWorld({
    options: { publicPaths: ["/start"] },
    app: (request, auth) => auth.of(request).login({ shared: true, returnTo: "/reports" }),
  });
  const answer = await world.browser().request("/start");
  expect(answer.location).toBe(`${world.baseURL}/api/auth/login?returnTo=%2Freports&shared=1`);
});
