import type { Fault } from "@latchkey/provider/hostile";
import type { LogEvent } from "../../src/index.ts";
import { describe, expect, test } from "vitest";

import { createAuth } from "../../src/index.ts";
import type { Browser } from "../browser/browser.ts";
import { handleRequest } from "../handle-request.ts";
import { inParallel } from "../in-parallel.ts";
import {
  arrive,
  begin,
  callsTo,
  signIn,
  startTwoProviders,
  type TwoProviders,
} from "./two-providers.ts";

const logins = { default: "/api/auth/login/default", globex: "/api/auth/login/globex" } as const;
const offline = { scope: "openid offline_access" };

async function signedIn(world: TwoProviders, path: string): Promise<Browser> {
  const browser = world.browser();
  const { status } = await signIn(world, browser, path);
  if (status !== 302) throw new Error(`${status}: ${JSON.stringify(world.events.slice(-3))}`);
  return browser;
}

/** An access token for a browser, or the code of the error. */
async function tokenOf(world: TwoProviders, browser: Browser, auth = world.auth) {
  const headers = { cookie: await browser.cookies() };
  const { made } = await handleRequest(
    auth,
    new Request(`${world.baseURL}/`, { headers }),
    (here) => here.accessToken({ refresh: true }).catch(({ code }: { code: string }) => code),
  );
  return made;
}

function refreshTokensSentTo({ requests }: TwoProviders["first"]): readonly string[] {
  return requests.flatMap(({ form }) => form.get("refresh_token") ?? []);
}

describe.each([true, false])("with sessions in the store: %s,", (stateful) => {
  test("a refresh token is sent to its own provider alone, once for two instances at once [MX-061]", async () => {
    const session = { stateful };
    const world = await startTwoProviders({ options: { ...offline, session }, globex: offline });
    const { first, second } = world;
    const [one, other] = [
      await signedIn(world, logins.default),
      await signedIn(world, logins.globex),
    ];
    const elsewhere = createAuth(world.options);
    const auths = stateful ? [world.auth, elsewhere] : [world.auth];
    const tokens = await Promise.all(
      [one, other].flatMap((browser) => auths.map((auth) => tokenOf(world, browser, auth))),
    );
    expect(tokens.filter((each) => each === undefined || each.startsWith("ERR_"))).toEqual([]);
    const [ofFirst, ofSecond] = [refreshTokensSentTo(first), refreshTokensSentTo(second)];
    expect(ofFirst.length).toBeGreaterThan(0);
    expect(ofFirst.filter((token) => ofSecond.includes(token))).toEqual([]);
    expect(new Set(ofFirst).size).toBe(ofFirst.length);
    expect(new Set(ofSecond).size).toBe(ofSecond.length);
  });
});

describe("while one provider fails", () => {
  const response = { status: 500, headers: {}, body: "{}" };

  test.each<[string, Fault]>([
    ["answers 500", { kind: "replace", response }],
    ["is silent", { kind: "hang" }],
    ["resets connections", { kind: "reset" }],
  ])("since it %s, sign-in, refresh and reading at the other go on [MX-059]", async (_, fault) => {
    const impatient = { ...offline, httpTimeout: 1500 };
    const world = await startTwoProviders({ options: impatient, globex: impatient });
    const { first, second } = world;
    const one = await signedIn(world, logins.default);
    const others: Browser[] = [];
    const signInOne = async () => void others.push(await signedIn(world, logins.globex));
    await inParallel(Array.from({ length: 40 }), signInOne, 4);
    second.behave({ faults: { metadata: fault, token: fault, refresh: fault } });
    // More than the refreshes that may be under way at one client.
    const failing = Promise.all(others.map((browser) => tokenOf(world, browser)));
    expect(await tokenOf(world, one)).not.toMatch(/^ERR_/);
    expect((await one.request("/private")).status).toBe(200);
    await signedIn(world, logins.default);
    expect(callsTo(first)).toContain("refresh");
    expect((await failing).filter((each) => each?.startsWith("ERR_") !== true)).toEqual([]);
    const reading = await Promise.all(others.map((browser) => browser.request("/private")));
    expect(new Set(reading.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

describe("events name the connection", () => {
  const namesOf = (events: readonly LogEvent[], event: LogEvent["event"]) =>
    events.filter((each) => each.event === event).map(({ connection }) => connection);

  test("of sign-ins, refreshes, refusals and ends, if there are several [MX-101]", async () => {
    const world = await startTwoProviders({ options: offline, globex: offline });
    const browser = await signedIn(world, logins.globex);
    await tokenOf(world, browser);
    const { returned } = await begin(world, world.browser(), logins.globex);
    await arrive(world.browser(), returned);
    await browser.request("/api/auth/logout");
    for (const event of ["sign-in", "refresh", "refusal", "sign-out"] as const) {
      expect([event, ...new Set(namesOf(world.events, event))]).toEqual([event, "globex"]);
    }
    const former = await signedIn(world, logins.default);
    await signIn(world, former, logins.globex);
    expect(world.events.filter((each) => each.event === "sign-out").at(-1)).toMatchObject({
      reason: "replaced",
      connection: "default",
    });
  });

  test("of what becomes of a user's sign-ins, whose activity is their own [MX-044]", async () => {
    const world = await startTwoProviders({
      options: { activity: true, session: { stateful: true } },
    });
    const { first, second } = world;
    expect(first.person["sub"]).toBe(second.person["sub"]);
    const [one] = [await signedIn(world, logins.default), await signedIn(world, logins.globex)];
    await world.auth.endUser(
      String(first.person["sub"]),
      { operator: "grace" },
      { connection: "globex" },
    );
    const headers = { cookie: await one.cookies() };
    const request = new Request(`${world.baseURL}/`, { headers });
    const kinds = async () => {
      const { made } = await handleRequest(world.auth, request.clone(), (here) => here.activity());
      return made?.map(({ kind }) => kind);
    };
    await expect.poll(kinds).toEqual(["signed-in"]);
  });
});
