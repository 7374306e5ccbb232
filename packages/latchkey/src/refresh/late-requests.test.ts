import { describe, expect, test } from "vitest";

import { askWith } from "../../test/handle-request.ts";
import {
  failed,
  lasts,
  tokenInWords as token,
  twoInstances,
  type TwoInstancesOptions,
} from "../../test/refresh/two-instances.ts";
import type { Options } from "../host/auth.ts";
import { createEndedList } from "../session/marks/ended-list.ts";
import { userTag } from "../session/session-handle.ts";
import { type Jar, jarOf } from "../../test/browser/cookie-jar.ts";
import { goodSettings } from "../../test/settings.ts";
import { signedInCookies } from "../testing/index.ts";
import type { RequestAuth } from "../host/request-auth.ts";

type World = Awaited<ReturnType<typeof twoInstances>>;

const inStore = { session: { stateful: true } };

/** What others do at the other instance, with the cookies that they have then. */
type Step = (world: World, jar: Jar) => Promise<Jar>;

const refresh: Step = async ({ other, advance }, jar) => {
  const { next } = await askWith(other, jar, token);
  advance(lasts);
  return next;
};
const askAnew = (here: RequestAuth) => token(here, { refresh: true });
const anew: Step = async ({ other }, jar) => (await askWith(other, jar, askAnew)).next;
const end: Step = async ({ other }, jar) =>
  (await askWith(other, jar, () => undefined, "/api/auth/logout")).next;

/** What a logout token without `sid` does: it marks the user, and removes no record. */
async function markUser({ one, store }: World): Promise<void> {
  const registration = { issuer: one.config.issuerBaseURL, client: one.config.clientID };
  const aMinuteLater = () => Date.UTC(2026, 0, 1, 0, 1);
  const list = createEndedList({ store, keepSeconds: lasts, clock: aMinuteLater });
  await list.endUser(userTag(registration, "ada"));
}

/**
 * A request whose session was read before others did something to it, and needs a token then.
 */
async function late(options: TwoInstancesOptions, steps: readonly Step[], ask = token) {
  const world = await twoInstances(options);
  const asked = await askWith(world.one, world.jar, async (here) => {
    let { jar } = world;
    for (const step of steps) jar = await step(world, jar);
    return ask(here);
  });
  return { ...world, ...asked };
}

const ended = "ERR_MISSING_SESSION: The user does not have a valid session.";

/** A sign-in with an event before the response of the token endpoint arrives. */
async function whileTokenIsSpent(
  settings: Partial<Options>,
  happens: (world: World) => Promise<unknown>,
) {
  const world: World = await twoInstances({
    settings,
    async onCall(input, send) {
      const response = await send();
      if (input.endsWith("/token")) await happens(world);
      return response;
    },
  });
  return { ...world, ...(await askWith(world.one, world.jar, token)) };
}

test.each([
  ["without a store", { store: undefined }, "one"],
  ["beside a store, by another instance", { session: { stateful: false } }, "other"],
] as const)(
  "a session in a cookie that ends while its token is spent, %s, gets none: what it brings is revoked [RFC 7009]",
  async (_, settings, instance) => {
    const { made, family, outcomes, response } = await whileTokenIsSpent(settings, (world) =>
      askWith(world[instance], world.jar, () => undefined, "/api/auth/logout"),
    );
    expect([made, outcomes(), response.headers.getSetCookie()]).toEqual([ended, ["lost"], []]);
    await expect.poll(() => family.returned.has(1)).toBe(true);
  },
);

test("a session in a cookie gets its new token though the store that marks its end fails meanwhile", async () => {
  let isDown = false;
  const world = await twoInstances({
    settings: { session: { stateful: false } },
    storeOf: (store) => ({
      ...store,
      get: (keys) => (isDown ? Promise.reject(failed("ECONNRESET")) : store.get(keys)),
    }),
    beforeAnswer: async () => void (isDown = true),
  });
  expect((await askWith(world.one, world.jar, token)).made).toBe("at.1.1");
});

describe.each<[string, Partial<Options>]>([
  ["that moves into the store", {}],
  ["in the store", inStore],
])("a request that has read a session %s", (_, settings) => {
  test.each([
    ["once", [refresh], "at.1.2", [1, 1]],
    ["twice", [refresh, refresh], "at.1.3", [1, 1, 1]],
  ] as const)(
    "before others have refreshed it %s goes on with what they got",
    async (__, steps, made, uses) => {
      const { one, next, family, ...asked } = await late({ settings }, steps);
      expect([asked.made, family.uses]).toEqual([made, uses]);
      const read = await askWith(one, next, ({ session }) => session?.accessToken);
      expect(read.made).toBe(made);
    },
  );

  test("before others have refreshed it twice takes no older token into it", async () => {
    const { one, next, family } = await late({ settings }, [anew, anew], askAnew);
    const read = await askWith(one, next, ({ session }) => session?.refreshToken);
    expect([read.made, family.uses]).toEqual(["rt.1.2", [1, 1]]);
  });

  test("that ends while its token is spent gets none: what it brings is revoked and kept nowhere", async () => {
    const { one, jar, family, outcomes, store, made, next } = await whileTokenIsSpent(
      settings,
      (world) => end(world, world.jar),
    );
    expect([made, outcomes(), next]).toEqual([ended, ["lost"], jar]);
    expect((await askWith(one, next, token)).next).toEqual({});
    await expect.poll(() => family.returned.has(1)).toBe(true);
    expect([...store.list("refresh|"), ...store.list("session|")]).toEqual([]);
  });

  test("whose user is signed out everywhere while its token is spent gets none, though the record is there", async () => {
    const { made, family, outcomes, store } = await whileTokenIsSpent(settings, markUser);
    expect([made, outcomes()]).toEqual([ended, ["lost"]]);
    await expect.poll(() => family.returned.has(1)).toBe(true);
    expect([...store.list("refresh|"), ...store.list("session|")]).toEqual([]);
  });

  test("before others have refreshed it shares their token, though it forces a refresh", async () => {
    const { one, other, jar, family, outcomes } = await twoInstances({ settings });
    const { made } = await askWith(one, jar, async (here) => {
      await askWith(other, jar, token);
      return here.accessToken({ refresh: true });
    });
    expect([made, family.uses, outcomes()]).toEqual(["at.1.1", [1], ["renewed", "shared"]]);
  });

  test("whose hook afterRefresh throws fails with its error, and the new tokens are not lost", async () => {
    let isBroken = true;
    const afterRefresh = <T>(session: T): T => {
      if (isBroken) throw new Error("the hook is broken");
      return session;
    };
    const hooks = { afterRefresh };
    const world = await twoInstances({ settings: { ...settings, hooks } });
    const { one, jar, family, outcomes } = world;
    const ask = (here: RequestAuth) => here.accessToken().catch(String);
    const { made, next } = await askWith(one, jar, ask);
    expect([made, outcomes()]).toEqual(["Error: the hook is broken", ["transient"]]);
    isBroken = false;
    expect((await askWith(one, next, ask)).made).toBe("at.1.1");
    expect(family.uses).toEqual([1]);
  });
});

test.each([
  ["ended", [end], []],
  ["refreshed and ended", [refresh, end], [1]],
] as const)("a record that others have %s meanwhile brings no token", async (_, steps, uses) => {
  const { one, made, next, family, outcomes } = await late({ settings: inStore }, steps);
  expect([made, outcomes().at(-1), family.uses]).toEqual([ended, "lost", uses]);
  expect((await askWith(one, next, token)).next).toEqual({});
});

test("a session in a cookie that ends before it moves into the store brings no token", async () => {
  const world = await twoInstances();
  const { one, family, outcomes } = world;
  const tokens = { accessToken: "at.1.0", accessTokenExpiresAt: 1, refreshToken: "rt.1.0" };
  const options = { ...goodSettings, clock: () => Date.UTC(2026, 0, 1) };
  const session = { user: { sub: "ada" }, ...tokens };
  const jar = jarOf(await signedInCookies({ options, session }));
  const { made } = await askWith(one, jar, async (here) => {
    await end(world, jar);
    return token(here);
  });
  expect([made, outcomes(), family.uses]).toEqual([ended, ["lost"], []]);
});

test("a session in the store stays there if a request read it before a refresh, and ends after it", async () => {
  const { one, jar, store } = await twoInstances({ settings: inStore });
  const { next } = await askWith(one, jar, async ({ session }) => {
    await askWith(one, jar, (here) => here.accessToken({ refresh: true }));
    return session;
  });
  const { "appSession.t": lastUse, ...others } = next;
  expect([others, store.list("session|").length]).toEqual([jar, 1]);
  expect(lastUse).toBeDefined();
});
