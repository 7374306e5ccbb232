import { beforeEach, describe, expect, test } from "vitest";

import type { Browser } from "../../test/browser/browser.ts";
import { namesIn } from "../../test/browser/cookie-jar.ts";
import { failingStore } from "../../test/failing-store.ts";
import { askWith, handleRequest } from "../../test/handle-request.ts";
import { type QuickWorld, quickWorld } from "../../test/worlds/quick-world.ts";
import { began, signedInApp } from "../../test/sessions/signed-in-app.ts";
import type { WorldSettings } from "../../test/worlds/world.ts";
import { type Auth, createAuth } from "../host/auth.ts";
import { memoryStore } from "../stores/memory.ts";
import type { Device } from "./list-devices.ts";

/** An app with a list of devices, and with buttons that end them. */
async function devicesApp(request: Request, auth: Auth): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const here = auth.of(request);
  if (pathname === "/devices") return Response.json(await here.devices());
  if (pathname === "/touch") return Response.json((await here.touch()) !== null);
  if (request.method !== "POST") return new Response("page");
  const ended =
    pathname === "/end"
      ? await here.endDevice(searchParams.get("id") ?? "")
      : await here.endDevices(pathname === "/end-all" ? "all" : "others");
  return Response.json({ ended, isIn: here.session !== null });
}

const stateful: WorldSettings = { options: { session: { stateful: true } }, app: devicesApp };

let world: QuickWorld;
function start(settings: WorldSettings): void {
  world = quickWorld(settings);
}

async function devicesOf(browser: Browser): Promise<readonly Device[]> {
  return JSON.parse((await browser.request("/devices")).text) as Device[];
}

interface Outcome {
  readonly ended: readonly Device[] | null;
  readonly isIn: boolean;
  readonly cleared: readonly string[];
}

async function post(browser: Browser, address: string): Promise<Outcome> {
  const { text, headers } = await browser.request(address, { method: "POST" });
  const { ended, isIn } = JSON.parse(text) as Omit<Outcome, "cleared">;
  return { ended, isIn, cleared: namesIn(headers.getSetCookie()).cleared };
}

async function stateOf(browser: Browser): Promise<string> {
  const peek = JSON.parse((await browser.request("/_auth/session.json")).text) as {
    state: string;
    reason?: string;
  };
  return peek.reason ?? peek.state;
}

const reasons = () =>
  world.events.flatMap((event) => (event.event === "sign-out" ? [event.reason] : []));

describe("the list of devices", () => {
  beforeEach(() => start(stateful));

  test("it shows this device first, then the others by last use", async () => {
    const oldest = await world.signedIn("person-ada", "Oldest");
    const here = await world.signedIn("person-ada", "Here");
    const used = await world.signedIn("person-ada", "Used");
    world.advance(3600);
    await used.request("/api/auth/me");
    const list = await devicesOf(here);
    expect(list.map(({ userAgent }) => userAgent)).toEqual(["Here", "Used", "Oldest"]);
    expect(list.map(({ isCurrent }) => isCurrent)).toEqual([true, false, false]);
    expect((await devicesOf(oldest))[0]?.userAgent).toBe("Oldest");
  });

  test("it keeps a device which was used later than its record says", async () => {
    const [here, other] = [await world.signedIn(), await world.signedIn()];
    world.advance(3500);
    await Promise.all([here, other].map((each) => each.request("/api/auth/me")));
    world.advance(86_000);
    expect(await stateOf(other)).toBe("signed-in");
    expect(await devicesOf(here)).toMatchObject([{ isCurrent: true }, { isCurrent: false }]);
  });

  test("it says when each sign-in was started, was last used and ends", async () => {
    const browser = await world.signedIn();
    world.advance(3600);
    const [device] = await devicesOf(browser);
    expect(device).toMatchObject({
      startedAt: began,
      lastUsedAt: began + 3600,
      endsAt: began + 3600 + 86_400,
      accessTokenEndsAt: began + 300,
    });
  });

  test("it holds the user's own sign-ins only", async () => {
    const [ada, ben] = [await world.signedIn("person-ada"), await world.signedIn("person-ben")];
    expect(await devicesOf(ada)).toHaveLength(1);
    expect((await devicesOf(ben))[0]?.id).not.toBe((await devicesOf(ada))[0]?.id);
  });

  test("it leaves out what has ended by logout, by time or by a mark", async () => {
    const [here, leaving] = [await world.signedIn(), await world.signedIn()];
    const marked = await world.signedIn();
    await world.signedIn("person-ada", "Idle");
    expect(await devicesOf(here)).toHaveLength(4);
    await leaving.request("/api/auth/logout");
    expect(await devicesOf(here)).toHaveLength(3);
    await world.store.set(`id|${(await devicesOf(marked))[0]?.id}`, "1", 9e9);
    expect(await devicesOf(here)).toHaveLength(2);
    world.advance(80_000);
    await devicesOf(here);
    world.advance(80_000);
    expect(await devicesOf(here)).toHaveLength(1);
  });

  test("it is empty without a signed-in user, and nothing can be done with it", async () => {
    start({ ...stateful, options: { ...stateful.options, activity: true, publicPaths: ["/"] } });
    const made = await world.handle(world.browser(), async (here) => [
      await here.devices(),
      await here.activity(),
      await here.endDevice("x"),
      await here.endDevices("others"),
      await here.endDevices("all"),
      await here.renameDevice("x", "Kitchen"),
    ]);
    expect(made).toEqual([[], [], [], [], [], null]);
  });

  test("it leaves out a sign-in at a connection which is not here", async () => {
    const connections = { beta: { uses: "default", label: "Beta" } };
    start({ ...stateful, options: { ...stateful.options, connections, publicPaths: ["/"] } });
    const [here, there] = [world.browser(), world.browser()];
    await here.signIn("/api/auth/login/default");
    await there.signIn("/api/auth/login/beta");
    expect(await world.handle(here, (its) => its.devices())).toHaveLength(2);
    const { connections: _none, ...options } = world.options;
    const without = createAuth(options);
    expect(await world.handle(here, (its) => its.devices(), without)).toHaveLength(1);
  });

  test("it holds at most 256 printable characters of what a browser calls itself", async () => {
    const browser = await world.signedIn("person-ada", `a\t${"x".repeat(3000)}`);
    expect((await devicesOf(browser))[0]?.userAgent).toBe(`a${"x".repeat(255)}`);
  });

  test("it holds one sign-in of a browser after two sign-ins", async () => {
    const browser = await world.signedIn();
    await browser.signIn("/api/auth/login");
    expect(await devicesOf(browser)).toHaveLength(1);
  });
});

describe("ending one device", () => {
  beforeEach(() => start(stateful));

  test("it is signed out at its next request, and learns of an end elsewhere", async () => {
    const [here, there] = [await world.signedIn(), await world.signedIn("person-ada", "There")];
    const [, other] = await devicesOf(here);
    const { ended, isIn, cleared } = await post(here, `/end?id=${other?.id}`);
    expect(ended?.map(({ userAgent }) => userAgent)).toEqual(["There"]);
    expect([isIn, cleared]).toEqual([true, []]);
    expect(await stateOf(there)).toBe("elsewhere");
    expect((await there.request("/api/auth/me")).status).toBe(204);
    expect(await stateOf(there)).toBe("signed-out");
    expect(await devicesOf(here)).toHaveLength(1);
    expect(world.store.list("session|")).toHaveLength(1);
    // For copies of it that live in cookies.
    expect(await world.store.get([`id|${other?.id}`])).toEqual([expect.stringMatching(/^\d+$/)]);
    expect(reasons()).toEqual(["device"]);
  });

  test("no user can end a device of another user by its id [ATK-010]", async () => {
    const [ada, ben] = [await world.signedIn("person-ada"), await world.signedIn("person-ben")];
    const [own] = await devicesOf(ada);
    expect(await post(ben, `/end?id=${own?.id}`)).toMatchObject({ ended: [], isIn: true });
    expect(await stateOf(ada)).toBe("signed-in");
    expect(reasons()).toEqual([]);
  });

  test("the id of an ended sign-in ends nothing", async () => {
    const [here, there] = [await world.signedIn(), await world.signedIn()];
    const [, other] = await devicesOf(here);
    await there.request("/api/auth/logout");
    expect(await post(here, `/end?id=${other?.id}`)).toMatchObject({ ended: [], isIn: true });
    expect(await post(here, "/end?id=")).toMatchObject({ ended: [], isIn: true });
  });

  test("its own id signs this device out: the cookie is cleared, and the request has no user", async () => {
    const here = await world.signedIn();
    const copy = await here.cookies();
    const [own] = await devicesOf(here);
    expect(await post(here, `/end?id=${own?.id}`)).toMatchObject({
      ended: [{ isCurrent: true }],
      isIn: false,
      cleared: ["appSession", "appSession.t"],
    });
    expect(await stateOf(here)).toBe("signed-out");
    expect(await world.isSignedIn(copy)).toBe(false);
  });

  test("a late renewal does not revive it [ATK-009]", async () => {
    const [here, there] = [await world.signedIn(), await world.signedIn()];
    const cookie = await there.cookies();
    const late = new Request(`${world.baseURL}/`, { headers: { cookie } });
    const { made } = await handleRequest(world.auth, late, async (its) => {
      expect(its.session).not.toBeNull();
      await post(here, `/end?id=${(await devicesOf(here))[1]?.id}`);
      return [await its.touch(), its.session];
    });
    expect(made).toEqual([null, null]);
    expect(await stateOf(there)).toBe("elsewhere");
    expect(world.store.list("session|")).toHaveLength(1);
  });

  test("its browser may sign in again", async () => {
    const [here, there] = [await world.signedIn(), await world.signedIn()];
    await post(here, `/end?id=${(await devicesOf(here))[1]?.id}`);
    await there.signIn("/api/auth/login");
    expect(await stateOf(there)).toBe("signed-in");
    expect(await devicesOf(here)).toHaveLength(2);
  });
});

describe("ending all other devices", () => {
  beforeEach(() => start(stateful));

  test("it leaves this device and those of other users signed in", async () => {
    const [here, one] = [await world.signedIn(), await world.signedIn()];
    const [two, ben] = [await world.signedIn(), await world.signedIn("person-ben")];
    expect((await post(here, "/end-others")).ended).toHaveLength(2);
    const states = await Promise.all([here, one, two, ben].map(stateOf));
    expect(states).toEqual(["signed-in", "elsewhere", "elsewhere", "signed-in"]);
    expect(reasons()).toEqual(["others", "others"]);
    expect(await post(here, "/end-others")).toMatchObject({ ended: [], isIn: true });
  });
});

describe("signing out everywhere", () => {
  test("it ends this device too, clears its cookie, and leaves later sign-ins alone", async () => {
    start(stateful);
    const [here, there] = [await world.signedIn(), await world.signedIn()];
    const ben = await world.signedIn("person-ben");
    const outcome = await post(here, "/end-all");
    expect(outcome).toMatchObject({
      ended: [{ isCurrent: true }, { isCurrent: false }],
      isIn: false,
      cleared: ["appSession", "appSession.t"],
    });
    const states = await Promise.all([here, there, ben].map(stateOf));
    expect(states).toEqual(["signed-out", "elsewhere", "signed-in"]);
    expect(world.store.list("session|")).toHaveLength(1);
    expect(reasons()).toEqual(["all"]);
    await here.signIn("/api/auth/login");
    expect(await devicesOf(here)).toHaveLength(1);
  });

  test.each([
    ["is over on one's own computer", "", "/_auth/signed-out"],
    ["goes on to the provider on a shared computer", "?shared=1", "/end-session"],
  ])("it %s, and the page after logout counts the others", async (_, query, next) => {
    start({ ...stateful, options: { ...stateful.options, idpLogout: false } });
    const here = world.browser();
    await here.signIn(`/api/auth/login${query}`);
    await world.signedIn();
    await world.signedIn();
    await post(here, "/end-all");
    const { location } = await here.request("/api/auth/logout");
    expect(new URL(location, world.baseURL).pathname).toMatch(new RegExp(`${next}$`));
    expect(await here.cookies()).toMatch(/auth_logout=[^;]*\.2(?:;|$)/);
  });

  test("it works by a mark on the user if sessions live in cookies", async () => {
    start({ app: devicesApp });
    const [here, there] = [await world.signedIn(), await world.signedIn()];
    const ben = await world.signedIn("person-ben");
    const copy = await here.cookies();
    expect(await post(here, "/end-all")).toEqual({
      ended: [],
      isIn: false,
      cleared: ["appSession", "appSession.t"],
    });
    expect(await here.cookies()).toMatch(/auth_logout=[^;]*\.all(?:;|$)/);
    const states = await Promise.all([here, there, ben].map(stateOf));
    expect(states).toEqual(["signed-out", "elsewhere", "signed-in"]);
    expect(await world.isSignedIn(copy)).toBe(false);
    await here.signIn("/api/auth/login");
    expect(await stateOf(here)).toBe("signed-in");
  });
});

test("after the head of the response has left nothing is ended or named", async () => {
  start(stateful);
  const [here] = [await world.signedIn(), await world.signedIn()];
  const [own, other] = await devicesOf(here);
  const late = await world.handle(here, (its) => [
    () => its.endDevice(own?.id ?? ""),
    () => its.endDevice(other?.id ?? ""),
    () => its.endDevices("others"),
    () => its.endDevices("all"),
    () => its.renameDevice(other?.id ?? "", "Kitchen"),
  ]);
  for (const act of late ?? []) {
    await expect(act()).rejects.toMatchObject({ code: "ERR_HEADERS_SENT" });
  }
  expect((await devicesOf(here)).map(({ name }) => name)).toEqual(["", ""]);
});

describe("without what it needs", () => {
  test("with sessions in cookies there is no list, and no device can be ended alone", async () => {
    start({ app: devicesApp });
    const here = await world.signedIn();
    expect(await devicesOf(here)).toBeNull();
    expect((await post(here, "/end?id=x")).ended).toBeNull();
    expect((await post(here, "/end-others")).ended).toBeNull();
    expect(await world.handle(here, (its) => its.renameDevice("x", "Kitchen"))).toBeNull();
    expect(await stateOf(here)).toBe("signed-in");
  });

  test("without a store no sign-in can be ended everywhere, and nothing is ended", async () => {
    const { auth, jar } = await signedInApp();
    const { made } = await askWith(auth, jar, async (here) => [
      await here.endDevices("all"),
      here.user?.sub,
    ]);
    expect(made).toEqual([null, "ada"]);
  });

  test("a failing store makes every query throw, and signs no user out", async () => {
    const store = failingStore(memoryStore());
    start({ ...stateful, options: { ...stateful.options, store } });
    const here = await world.signedIn();
    const made = await world.handle(here, async (its) => {
      store.fail(true);
      for (const ask of [
        () => its.devices(),
        () => its.endDevice("x"),
        () => its.endDevices("others"),
        () => its.endDevices("all"),
      ]) {
        await expect(ask()).rejects.toMatchObject({ reason: "store_unavailable" });
      }
      store.fail(false);
      return "done";
    });
    expect(made).toBe("done");
    expect(await stateOf(here)).toBe("signed-in");
  });
});
