import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import type { Browser } from "../../test/browser.ts";
import { namesIn } from "../../test/cookie-jar.ts";
import { failingStore } from "../../test/failing-store.ts";
import { goodSettings } from "../../test/settings.ts";
import { startWorld, type World, type WorldSettings } from "../../test/world.ts";
import { type Auth, createAuth } from "../auth.ts";
import { withHeaders } from "../http/headers.ts";
import { memoryStore } from "../stores/memory.ts";
import type { Store } from "../stores/store.ts";
import { signedInCookies } from "../testing/index.ts";
import type { Device } from "./devices.ts";

/** An app with a list of devices, and with buttons that end them. */
async function devicesApp(request: Request, auth: Auth): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname === "/devices") return Response.json(await auth.of(request).devices());
  if (pathname === "/touch") return Response.json((await auth.of(request).touch()) !== null);
  if (request.method !== "POST") return new Response("page");
  const ended =
    pathname === "/end"
      ? await auth.of(request).endDevice(searchParams.get("id") ?? "")
      : await auth.of(request).endDevices(pathname === "/end-all" ? "all" : "others");
  const { session } = auth.of(request);
  const answer = { ended: ended?.devices ?? null, isIn: session !== null };
  return withHeaders(Response.json(answer), ended?.headers ?? []);
}

const stateful: WorldSettings = { options: { session: { stateful: true } }, app: devicesApp };

let world: World;
const open: World[] = [];
async function start(settings: WorldSettings): Promise<void> {
  world = await startWorld(settings);
  open.push(world);
}
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function signedIn(person = "person-ada", agent = "Test/1"): Promise<Browser> {
  const browser = world.browser();
  const { address, init } = await browser.untilCallback("/api/auth/login", person);
  const headers = { ...(init.headers as Record<string, string>), "user-agent": agent };
  await browser.request(address, { ...init, headers });
  return browser;
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

  test("shows this device first, then the others by last use", async () => {
    const [oldest, here, used] = [
      await signedIn("person-ada", "Oldest"),
      await signedIn("person-ada", "Here"),
      await signedIn("person-ada", "Used"),
    ];
    world.advance(60);
    await used.request("/api/auth/me");
    const list = await devicesOf(here);
    expect(list.map(({ userAgent }) => userAgent)).toEqual(["Here", "Used", "Oldest"]);
    expect(list.map(({ isCurrent }) => isCurrent)).toEqual([true, false, false]);
    expect((await devicesOf(oldest))[0]?.userAgent).toBe("Oldest");
  });

  test("says since when, how long, and when it was last used", async () => {
    const browser = await signedIn();
    const from = Math.floor(Date.now() / 1000);
    world.advance(3600);
    const [device] = await devicesOf(browser);
    expect(device?.startedAt).toBeGreaterThan(from - 10);
    expect(device?.startedAt).toBeLessThanOrEqual(from + 1);
    expect((device?.lastUsedAt ?? 0) - (device?.startedAt ?? 0)).toBeGreaterThanOrEqual(3600);
    expect((device?.endsAt ?? 0) - (device?.lastUsedAt ?? 0)).toBe(86_400);
    expect(device?.accessTokenEndsAt).toBeGreaterThan(from);
  });

  test("holds the person's own sign-ins only", async () => {
    const [ada, ben] = [await signedIn("person-ada"), await signedIn("person-ben")];
    expect(await devicesOf(ada)).toHaveLength(1);
    expect((await devicesOf(ben))[0]?.id).not.toBe((await devicesOf(ada))[0]?.id);
  });

  test("leaves out what has ended: by logout, by time, by a mark", async () => {
    const [here, leaving, marked] = [await signedIn(), await signedIn(), await signedIn()];
    await signedIn("person-ada", "Idle");
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

  test("is empty where nobody is signed in", async () => {
    const request = new Request(`${world.baseURL}/devices`);
    expect(await world.auth.of(request).devices()).toEqual([]);
    expect(await world.auth.of(request).endDevice("x")).toMatchObject({ devices: [] });
    for (const which of ["others", "all"] as const) {
      expect(await world.auth.of(request).endDevices(which)).toMatchObject({ devices: [] });
    }
  });

  test("holds no more than 256 printable characters of what a browser calls itself", async () => {
    const browser = await signedIn("person-ada", `a\t${"x".repeat(3000)}`);
    expect((await devicesOf(browser))[0]?.userAgent).toBe(`a${"x".repeat(255)}`);
  });

  test("a session that was replaced in the same browser is not in it twice", async () => {
    const browser = await signedIn();
    await browser.signIn("/api/auth/login");
    expect(await devicesOf(browser)).toHaveLength(1);
  });
});

describe("ending one device", () => {
  beforeEach(() => start(stateful));

  test("signs it out at its next request, and tells it that it was done from elsewhere", async () => {
    const [here, there] = [await signedIn(), await signedIn("person-ada", "There")];
    const [, other] = await devicesOf(here);
    const { ended, isIn, cleared } = await post(here, `/end?id=${other?.id}`);
    expect(ended?.map(({ userAgent }) => userAgent)).toEqual(["There"]);
    expect([isIn, cleared]).toEqual([true, []]);
    expect(await stateOf(there)).toBe("elsewhere");
    expect((await there.request("/api/auth/me")).status).toBe(204);
    expect(await stateOf(there)).toBe("signed-out");
    expect(await devicesOf(here)).toHaveLength(1);
    expect(reasons()).toEqual(["device"]);
  });

  test("leaves nothing of it in the store that could be opened", async () => {
    const here = await signedIn();
    await signedIn();
    expect(await world.store.list("session|")).toHaveLength(2);
    await post(here, `/end?id=${(await devicesOf(here))[1]?.id}`);
    expect(await world.store.list("session|")).toHaveLength(1);
  });

  test("another person's cannot be ended, although its id is known [ATK-010]", async () => {
    const [ada, ben] = [await signedIn("person-ada"), await signedIn("person-ben")];
    const [own] = await devicesOf(ada);
    expect(await post(ben, `/end?id=${own?.id}`)).toMatchObject({ ended: [], isIn: true });
    expect(await stateOf(ada)).toBe("signed-in");
    expect(reasons()).toEqual([]);
  });

  test("what has ended already ends nothing", async () => {
    const [here, there] = [await signedIn(), await signedIn()];
    const [, other] = await devicesOf(here);
    await there.request("/api/auth/logout");
    expect(await post(here, `/end?id=${other?.id}`)).toMatchObject({ ended: [], isIn: true });
    expect(await post(here, "/end?id=")).toMatchObject({ ended: [], isIn: true });
  });

  test("this device's own signs out here: the cookie is cleared, and the request sees nobody", async () => {
    const here = await signedIn();
    const copy = await here.cookies();
    const [own] = await devicesOf(here);
    expect(await post(here, `/end?id=${own?.id}`)).toMatchObject({
      ended: [{ isCurrent: true }],
      isIn: false,
      cleared: ["appSession"],
    });
    expect(await stateOf(here)).toBe("signed-out");
    const again = await world.browser().request("/api/auth/me", { headers: { cookie: copy } });
    expect(again.status).toBe(204);
  });

  test("a late renewal never revives it [ATK-009]", async () => {
    const [here, there] = [await signedIn(), await signedIn()];
    const cookie = await there.cookies();
    const late = new Request(`${world.baseURL}/`, { headers: { cookie } });
    expect(world.auth.of(late).session).not.toBeNull();
    await post(here, `/end?id=${(await devicesOf(here))[1]?.id}`);
    expect(await world.auth.of(late).touch()).toBeNull();
    expect(await stateOf(there)).toBe("elsewhere");
    expect(await world.store.list("session|")).toHaveLength(1);
  });

  test("the same browser may sign in again", async () => {
    const [here, there] = [await signedIn(), await signedIn()];
    await post(here, `/end?id=${(await devicesOf(here))[1]?.id}`);
    await there.signIn("/api/auth/login");
    expect(await stateOf(there)).toBe("signed-in");
    expect(await devicesOf(here)).toHaveLength(2);
  });
});

describe("ending all other devices", () => {
  beforeEach(() => start(stateful));

  test("leaves this one, and other people's", async () => {
    const [here, one, two, ben] = [
      await signedIn(),
      await signedIn(),
      await signedIn(),
      await signedIn("person-ben"),
    ];
    expect((await post(here, "/end-others")).ended).toHaveLength(2);
    const states = await Promise.all([here, one, two, ben].map(stateOf));
    expect(states).toEqual(["signed-in", "elsewhere", "elsewhere", "signed-in"]);
    expect(reasons()).toEqual(["other-devices", "other-devices"]);
    expect(await post(here, "/end-others")).toMatchObject({ ended: [], isIn: true });
  });
});

describe("signing out everywhere", () => {
  test("ends this device too and clears its cookie; a later sign-in is not hurt", async () => {
    await start(stateful);
    const [here, there, ben] = [await signedIn(), await signedIn(), await signedIn("person-ben")];
    const outcome = await post(here, "/end-all");
    expect(outcome.ended).toHaveLength(2);
    expect(outcome).toMatchObject({ isIn: false, cleared: ["appSession"] });
    expect(await Promise.all([here, there, ben].map(stateOf))).toEqual([
      "signed-out",
      "elsewhere",
      "signed-in",
    ]);
    expect(await world.store.list("session|")).toHaveLength(1);
    expect(reasons()).toEqual(["all-devices"]);
    await here.signIn("/api/auth/login");
    expect(await devicesOf(here)).toHaveLength(1);
  });

  test("works where sessions live in cookies, by a mark on the person", async () => {
    await start({ app: devicesApp });
    const [here, there, ben] = [await signedIn(), await signedIn(), await signedIn("person-ben")];
    const copy = await here.cookies();
    expect(await post(here, "/end-all")).toEqual({
      ended: [],
      isIn: false,
      cleared: ["appSession"],
    });
    expect(await Promise.all([here, there, ben].map(stateOf))).toEqual([
      "signed-out",
      "elsewhere",
      "signed-in",
    ]);
    const again = await world.browser().request("/api/auth/me", { headers: { cookie: copy } });
    expect(again.status).toBe(204);
    await here.signIn("/api/auth/login");
    expect(await stateOf(here)).toBe("signed-in");
  });
});

describe("without what it needs", () => {
  test("there is no list where sessions live in cookies, and nothing to end one by one", async () => {
    await start({ app: devicesApp });
    const here = await signedIn();
    expect(await devicesOf(here)).toBeNull();
    expect((await post(here, "/end?id=x")).ended).toBeNull();
    expect((await post(here, "/end-others")).ended).toBeNull();
    expect(await stateOf(here)).toBe("signed-in");
  });

  test("without a store nobody is signed out everywhere, and nothing is ended", async () => {
    const session = { user: { sub: "person-ada" } };
    const cookie = await signedInCookies({ options: goodSettings, session });
    const request = new Request(goodSettings.baseURL, { headers: { cookie } });
    const auth = createAuth({ ...goodSettings, log: () => undefined });
    expect(await auth.of(request).endDevices("all")).toBeNull();
    expect(auth.of(request).session?.user.sub).toBe("person-ada");
  });

  test("a store that fails is a fault that is told, never an empty list", async () => {
    const store = failingStore(memoryStore());
    await start({ ...stateful, options: { ...stateful.options, store } });
    const here = await signedIn();
    const request = new Request(world.baseURL, { headers: { cookie: await here.cookies() } });
    await world.auth.visit(request);
    store.fail(true);
    for (const ask of [
      () => world.auth.of(request).devices(),
      () => world.auth.of(request).endDevice("x"),
      () => world.auth.of(request).endDevices("others"),
      () => world.auth.of(request).endDevices("all"),
    ]) {
      await expect(ask()).rejects.toMatchObject({ reason: "store_unavailable" });
    }
    store.fail(false);
    expect(await stateOf(here)).toBe("signed-in");
  });
});

describe("a visit", () => {
  let asked: string[];
  let store: Store;
  beforeAll(() => {
    asked = [];
    const inner = memoryStore();
    store = {
      ...inner,
      get: (keys) => (asked.push("get"), inner.get(keys)),
      replace: (...entry) => (asked.push("replace"), inner.replace(...entry)),
      list: (prefix) => (asked.push("list"), inner.list(prefix)),
    };
  });

  test("asks the store no more for it: session, ended list, renewal", async () => {
    await start({ ...stateful, options: { ...stateful.options, store } });
    const [here] = [await signedIn(), await signedIn(), await signedIn()];
    asked.length = 0;
    await here.request("/api/auth/me");
    expect(asked).toEqual(["get", "get", "replace"]);
  });
});
