import { describe, expect, test } from "vitest";

import { askWith } from "../../../test/handle-request.ts";
import {
  lasts,
  leaseless,
  tokenInWords as token,
  twoInstances,
  type TwoInstancesOptions,
} from "../../../test/refresh/two-instances.ts";
import type { Options } from "../../auth.ts";
import type { Jar } from "../../../test/browser/cookie-jar.ts";
import type { RequestAuth } from "../request-auth.ts";

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
const forget: Step = async ({ store }, jar) => {
  for (const key of store.list("refresh|")) await store.delete(key);
  return jar;
};

/** A request whose session was read before others did something to it, and asks for a token then. */
async function late(options: TwoInstancesOptions, steps: readonly Step[], ask = token) {
  const world = await twoInstances(options);
  const asked = await askWith(world.one, world.jar, async (here) => {
    let { jar } = world;
    for (const step of steps) jar = await step(world, jar);
    return ask(here);
  });
  return { ...world, ...asked };
}

const underWay =
  "ERR_REFRESH_UNDER_WAY: The access token has expired, and another request is still refreshing it. Try again.";

/** For the token of another resource server each time. */
const refreshForOthers = (count: number): readonly Step[] =>
  Array.from({ length: count }, (_, place): Step => async ({ other }, jar) => {
    const resource = `https://api-${place}.example`;
    return (await askWith(other, jar, (here) => here.accessToken({ resource }))).next;
  });

test.each([
  ["32 times spends the token that it finds then", 32, "at.1.33"],
  ["33 times gets none, and the next one does", 33, underWay],
])("a request before others have refreshed its session %s", async (_, count, made) => {
  const own = (here: RequestAuth) => token(here, { resource: "https://own.example" });
  const { one, next, ...asked } = await late({}, refreshForOthers(count), own);
  expect(asked.made).toBe(made);
  expect((await askWith(one, next, own)).made).toBe(`at.1.${count + 1}`);
});

const ended = "ERR_MISSING_SESSION: The user does not have a valid session.";

/** A sign-in where something happens before the response of the token endpoint arrives. */
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

test("a session without a store that signs out while its token is spent gets none: what it brings is revoked [RFC 7009]", async () => {
  const { made, family, outcomes, response } = await whileTokenIsSpent(
    { store: undefined },
    ({ one, jar }) => askWith(one, jar, () => undefined, "/api/auth/logout"),
  );
  expect([made, outcomes(), response.headers.getSetCookie()]).toEqual([ended, ["lost"], []]);
  await expect.poll(() => family.returned.has(1)).toBe(true);
});

describe.each([
  ["in the cookie", false],
  ["in the store", true],
])("a request that has read a session %s", (_, stateful) => {
  const settings = { session: { stateful } };

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
    expect(store.list("refresh|")).toEqual([]);
  });

  test("before others have refreshed it shares their token, though it asks for a new one", async () => {
    const { one, other, jar, family, outcomes } = await twoInstances({ settings });
    const { made } = await askWith(one, jar, async (here) => {
      await askWith(other, jar, token);
      return here.accessToken({ refresh: true });
    });
    expect([made, family.uses, outcomes()]).toEqual(["at.1.1", [1], ["renewed", "shared"]]);
  });

  test("and whose hook of the app fails gets no token, and the caller the error", async () => {
    const hooks = {
      afterRefresh: () => {
        throw new Error("the hook is broken");
      },
    };
    const { one, jar, outcomes } = await twoInstances({ settings: { ...settings, hooks } });
    const ask = (here: RequestAuth) => here.accessToken().catch(String);
    expect((await askWith(one, jar, ask)).made).toBe("Error: the hook is broken");
    expect(outcomes()).toEqual(["transient"]);
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

test("a record that others have refreshed is seen where their ticket is forgotten", async () => {
  const { made, family, outcomes } = await late({ settings: inStore, storeOf: leaseless }, [
    (world, jar) => askWith(world.other, jar, token).then(({ next }) => next),
    forget,
  ]);
  expect([made, family.uses, outcomes()]).toEqual(["at.1.1", [1], ["renewed", "shared"]]);
});

test("what a refresh has brought is known to have arrived when it lies in the record", async () => {
  const { one, jar, store } = await twoInstances({ settings: inStore });
  await askWith(one, jar, token);
  const texts = await store.get(store.list("refresh|"));
  expect(texts).toEqual([expect.stringMatching(/^seen /)]);
});

test("a session in the store stays there where a request has read it before a refresh, and ends after it", async () => {
  const { one, jar, store } = await twoInstances({ settings: inStore });
  const { next } = await askWith(one, jar, async ({ session }) => {
    await askWith(one, jar, (here) => here.accessToken({ refresh: true }));
    return session;
  });
  expect([next, store.list("session|").length]).toEqual([jar, 1]);
});
