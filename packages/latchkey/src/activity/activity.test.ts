import type { AccessTokenError } from "../errors/access-token-error.ts";
import { decodeJwt } from "jose";
import { beforeEach, describe, expect, test } from "vitest";

import { handleRequest } from "../../test/handle-request.ts";
import type { Browser } from "../../test/browser/browser.ts";
import { failingStore } from "../../test/failing-store.ts";
import { began } from "../../test/sessions/signed-in-app.ts";
import { type QuickWorld, quickWorld } from "../../test/worlds/quick-world.ts";
import { problemIn } from "../../test/worlds/world.ts";
import { createAuth, type Options } from "../host/auth.ts";
import { referenceOf } from "../telemetry/reference.ts";
import { memoryStore } from "../stores/memory.ts";
import { signedInCookies } from "../testing/index.ts";
import type { Activity } from "./list-activity.ts";

let world: QuickWorld;

function start(options: Partial<Options> = {}): void {
  world = quickWorld({ options: { idpLogout: false, activity: true, ...options } });
}

const activityOf = async (browser: Browser): Promise<readonly Activity[]> =>
  (await world.handle(browser, (its) => its.activity())) ?? [];
const kindsOf = async (browser: Browser) => (await activityOf(browser)).map(({ kind }) => kind);
const idOf = async (browser: Browser) =>
  (await world.handle(browser, (its) => its.devices()))?.[0]?.id ?? "";

describe.each([true, false])("what has happened lately, sessions in the store: %s", (stateful) => {
  beforeEach(() => start({ session: { stateful, rollingDuration: 40 } }));

  test("a sign-in has time, place and the reference of the audit", async () => {
    const browser = await world.signedIn("person-ada", "Firefox");
    const [signIn, ...others] = await activityOf(browser);
    expect(others).toEqual([]);
    const told = world.events.find(({ event }) => event === "sign-in");
    const reference = referenceOf(
      told !== undefined && "session" in told ? (told.session ?? "") : "",
    );
    expect(signIn).toEqual({
      kind: "signed-in",
      at: began,
      device: { userAgent: "Firefox", name: "", network: null },
      connection: null,
      isByCurrent: false,
      isCurrent: true,
      count: 1,
      browser: reference,
      reference,
    });
  });

  test("a sign-out names the device of the sign-in", async () => {
    const leaving = await world.signedIn("person-ada", "Leaving");
    await leaving.request("/api/auth/logout");
    const [, signOut] = await activityOf(await world.signedIn());
    expect(signOut).toMatchObject({ kind: "signed-out", device: { userAgent: "Leaving" } });
  });

  test("an idle session is recorded once, when its browser comes back", async () => {
    const idle = await world.signedIn();
    world.advance(50);
    const cookie = await idle.cookies();
    const late = () => world.browser().request("/api/auth/me", { headers: { cookie } });
    await Promise.all([late(), late(), late()]);
    expect(await kindsOf(await world.signedIn())).toEqual(["signed-in", "expired", "signed-in"]);
  });

  test("an end by the provider is recorded once, with or without a returning browser", async () => {
    const browser = await world.signedIn("person-ada", "There");
    world.advance(5);
    await world.provider.endSessions("person-ada");
    world.advance(5);
    await browser.request("/api/auth/me");
    const [, ended, signIn, ...others] = await activityOf(await world.signedIn());
    expect(ended).toMatchObject({
      kind: "signed-out-by-provider",
      device: { userAgent: "There" },
      reference: signIn?.reference,
    });
    expect(others).toEqual([]);
  });

  test("a sign-out the provider reports, too, is recorded once, also after its sign-in has left the list", async () => {
    const leaving = await world.signedIn("person-ada", "Leaving");
    const sid = await world.handle(leaving, ({ user }) => user?.sid);
    for (let count = 0; count < 20; count += 1) await world.signedIn();
    await leaving.request("/api/auth/logout");
    await world.provider.endSessions("person-ada", sid);
    const [signOut, next] = await activityOf(await world.signedIn()).then((told) => told.slice(1));
    expect([signOut?.kind, next?.kind]).toEqual(["signed-out", "signed-in"]);
  });

  test("an end by an operator is recorded without the name of the operator", async () => {
    await world.signedIn();
    await world.auth.endUser("person-ada", { operator: "secret ticket" });
    const browser = await world.signedIn();
    expect(await kindsOf(browser)).toEqual(["signed-in", "signed-out-by-operator", "signed-in"]);
    expect(JSON.stringify(await activityOf(browser))).not.toContain("ticket");
  });

  test("a sign-out names its own device if the provider names no sessions", async () => {
    world.provider.answers.token = (good) => {
      const { sid: _none, ...claims } = decodeJwt(String(good["id_token"]));
      return Response.json({ ...good, id_token: world.provider.sign(claims) });
    };
    const leaving = await world.signedIn("person-ada", "Leaving");
    const staying = await world.signedIn("person-ada", "Staying");
    await leaving.request("/api/auth/logout");
    const [signOut] = await activityOf(staying);
    expect(signOut).toMatchObject({ kind: "signed-out", device: { userAgent: "Leaving" } });
  });

  test("the list holds no events of other users", async () => {
    await world.signedIn("person-ben");
    expect(await activityOf(await world.signedIn())).toHaveLength(1);
  });

  test("the list has the last ten events", async () => {
    for (let count = 0; count < 12; count += 1) await world.signedIn("person-ada", `${count}`);
    const agents = (await activityOf(await world.signedIn())).map(
      ({ device }) => device?.userAgent,
    );
    expect(agents.slice(1)).toEqual(["11", "10", "9", "8", "7", "6", "5", "4", "3"]);
  });

  test("the store holds one text a person, of bounded size, in which nothing can be read", async () => {
    for (let count = 0; count < 30; count += 1) await world.signedIn("person-ada", "x".repeat(300));
    await activityOf(await world.signedIn());
    const keys = world.store.list("activity|");
    expect(keys).toHaveLength(1);
    const [text = ""] = await world.store.get(keys);
    expect(text?.length).toBeLessThan(12_000);
    // Three letters come in a row by chance in a text of this length.
    expect(text).not.toMatch(/person-ada|x{20}|"Ada/);
    expect(keys.join()).not.toContain("person-ada");
  });
});

describe("the browser of an event", () => {
  beforeEach(() => start({ session: { stateful: true } }));
  const browsersOf = async (browser: Browser) =>
    (await activityOf(browser)).map((event) => event.browser);

  test("sign-ins that replace one another have one browser, and so has their end", async () => {
    const there = await world.signedIn();
    await there.signIn("/api/auth/login");
    await there.signIn("/api/auth/login");
    await there.request("/api/auth/logout");
    const [here, ...others] = await browsersOf(await world.signedIn());
    expect(others).toEqual(Array.from({ length: 4 }, () => others.at(-1)));
    expect(here).not.toBe(others.at(-1));
  });

  test.each(["sign-out here", "end on another device"])(
    "a sign-in after a %s has a browser of its own",
    async (end) => {
      const [here, there] = [await world.signedIn(), await world.signedIn()];
      const id = await idOf(there);
      if (end === "sign-out here") await there.request("/api/auth/logout");
      else await world.handle(here, (its) => its.endDevice(id));
      await there.signIn("/api/auth/login");
      const [after, , before] = await browsersOf(there);
      expect([before, after]).toEqual([referenceOf(id), referenceOf(await idOf(there))]);
    },
  );

  test("a sign-in of another user in the same browser has a browser of its own", async () => {
    const browser = await world.signedIn("person-ben");
    await browser.signIn("/api/auth/login", "person-ada");
    expect(await browsersOf(browser)).toEqual([referenceOf(await idOf(browser))]);
  });
});

describe("events of the list of devices", () => {
  beforeEach(() => start({ session: { stateful: true } }));

  test("a device ended from another one has its given name", async () => {
    const here = await world.signedIn();
    const there = await world.signedIn("person-ada", "There");
    const id = await idOf(there);
    await world.handle(here, (its) => its.renameDevice(id, "Kitchen"));
    await world.handle(here, (its) => its.endDevice(id));
    const [ended] = await activityOf(here);
    expect(ended).toMatchObject({
      kind: "signed-out-elsewhere",
      device: { userAgent: "There", name: "Kitchen" },
      isByCurrent: true,
      isCurrent: false,
      reference: referenceOf(id),
    });
  });

  test("the end of a device is recorded after its sign-in has left the list", async () => {
    const there = await world.signedIn("person-ada", "There");
    const id = await idOf(there);
    for (let count = 0; count < 20; count += 1) await world.signedIn();
    const here = await world.signedIn();
    await world.handle(here, (its) => its.endDevice(id));
    const [ended] = await activityOf(here);
    expect(ended).toMatchObject({ device: { userAgent: "There" } });
  });

  test("a device signed out by itself has its given name", async () => {
    const leaving = await world.signedIn("person-ada", "Leaving");
    const id = await idOf(leaving);
    await world.handle(leaving, (its) => its.renameDevice(id, "Kitchen"));
    await leaving.request("/api/auth/logout");
    const told = await activityOf(await world.signedIn());
    expect(told.map(({ kind, device }) => [kind, device?.name])).toEqual([
      ["signed-in", ""],
      ["signed-out", "Kitchen"],
      ["signed-in", "Kitchen"],
    ]);
  });

  test("many devices ended together are one event", async () => {
    const here = await world.signedIn();
    for (let count = 0; count < 5; count += 1) await world.signedIn();
    await world.handle(here, (its) => its.endDevices("others"));
    const [ended] = await activityOf(here);
    expect(ended).toMatchObject({ kind: "signed-out-others", count: 5, device: null });
  });

  test("all devices ended together are one event, and this one's own end is another", async () => {
    await world.handle(await world.signedIn(), (its) => its.endDevices("all"));
    const own = await world.signedIn();
    const id = await idOf(own);
    await world.handle(own, (its) => its.endDevice(id));
    expect((await kindsOf(await world.signedIn())).slice(1)).toEqual([
      "signed-out",
      "signed-in",
      "signed-out-everywhere",
      "signed-in",
    ]);
  });
});

test("a sign-in of the wrong organization has the reference of its page", async () => {
  start({ organization: "org_other" });
  const refused = world.browser();
  const { address, init } = await refused.untilCallback();
  const { reference } = problemIn(await refused.request(address, init));
  const options = { ...world.options, log: () => undefined };
  const cookie = await signedInCookies({ options, session: { user: { sub: "person-ada" } } });
  const request = new Request(world.baseURL, { headers: { cookie } });
  const { made } = await handleRequest(createAuth(options), request, (its) => its.activity());
  expect(made).toMatchObject([{ kind: "sign-in-refused", reference, isCurrent: false }]);
});

test("a refused refresh is recorded once", async () => {
  start();
  const browser = await world.signedIn();
  world.provider.answers.token = () => Response.json({ error: "invalid_grant" }, { status: 400 });
  const refresh = () =>
    world.handle(browser, (its) =>
      its.accessToken({ refresh: true }).catch((error: AccessTokenError) => error.code),
    );
  expect(await refresh()).toBe("ERR_FAILED_REFRESH_GRANT");
  expect(await refresh()).toBe("ERR_MISSING_REFRESH_TOKEN");
  const [refused, ...others] = await activityOf(browser);
  expect(refused).toMatchObject({ kind: "refresh-refused", device: { userAgent: "Test/1" } });
  expect(others).toHaveLength(1);
});

describe("a missing or failing list", () => {
  test("there is no list unless the setting is on", async () => {
    start({ activity: false });
    expect(await world.handle(await world.signedIn(), (its) => its.activity())).toBeNull();
  });

  test("a failing store refuses no sign-in, and the list throws", async () => {
    const store = failingStore(memoryStore());
    start({ store, session: { stateful: false } });
    const browser = await world.signedIn();
    await world.handle(browser, async (its) => {
      store.fail(true);
      await expect(its.activity()).rejects.toMatchObject({ reason: "store_unavailable" });
      store.fail(false);
    });
    expect(await activityOf(browser)).toHaveLength(1);
  });
});
