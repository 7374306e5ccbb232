import type { LogEvent } from "../../src/index.ts";
import { describe, expect, test } from "vitest";

import { createAuth } from "../../src/index.ts";
import { handleRequest } from "../handle-request.ts";
import {
  arrive,
  begin,
  signedIn,
  signIn,
  startTwoProviders,
  tokenOf,
  type TwoProviders,
} from "./two-providers.ts";

const logins = { default: "/api/auth/login/default", globex: "/api/auth/login/globex" } as const;
const offline = { scope: "openid offline_access" };

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
