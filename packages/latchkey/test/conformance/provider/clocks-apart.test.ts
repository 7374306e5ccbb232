import { describe, expect, test } from "vitest";

import { type AccessTokenError, type Auth, createAuth, type Options } from "../../../src/index.ts";
import { memoryStore } from "../../../src/stores/memory.ts";
import type { Store } from "../../../src/stores/store.ts";
import type { Browser } from "../../browser/browser.ts";
import { returnFrom, sendCallback, startLogin } from "../world/attempt.ts";
import { startHostileWorld } from "../world/hostile-world.ts";
import { deliver } from "../world/oracles.ts";

const world = await startHostileWorld();

/** A store as it is for an instance on another machine, of whose clock it is so many seconds ahead. */
function aheadOfMachine(store: Store, seconds: number): Store {
  return {
    ...store,
    set: (key, value, until) => store.set(key, value, until + seconds),
    add: (key, value, until) => store.add(key, value, until + seconds),
    swap: (key, expected, value, until) => store.swap(key, expected, value, until + seconds),
    join: (index, key, until) => store.join(index, key, until + seconds),
  };
}

/** Two instances of one app with one store; the clock of each is apart from those of provider and store. */
function instances(
  oneApart: number,
  otherApart: number,
  more: Partial<Options> = {},
): readonly [Auth, Auth] {
  const { clock = Date.now } = world.defaults;
  const store = { ...memoryStore(clock), now: () => clock() + 0.25 };
  const instance = (apart: number) =>
    createAuth({
      ...world.defaults,
      ...more,
      store: aheadOfMachine(store, -apart),
      clock: () => clock() + apart * 1000,
    });
  return [instance(oneApart), instance(otherApart)];
}

interface Seen {
  readonly login: Auth;
  readonly callback: Auth;
}

async function signIn({ login, callback }: Seen): Promise<Browser> {
  const browser = world.browser();
  world.serve(login);
  const returned = await returnFrom(world, await startLogin(world, browser));
  world.serve(callback);
  await sendCallback(world, browser, returned);
  return browser;
}

async function isSignedIn(browser: Browser, at: Auth): Promise<boolean> {
  world.serve(at);
  return (await browser.request("/api/auth/me")).status === 200;
}

const apartness = [
  [5, -5],
  [-5, 5],
  [0, 5],
  [-5, 0],
  [0, 0],
  [60, -60],
  [-60, 60],
  [600, -600],
  [-600, 0],
  [3600, -3600],
  [0, 3600],
] as const;

describe.each(apartness)(
  "where the clocks of two instances are %i s and %i s apart from the provider's [OP-091]",
  (oneApart, otherApart) => {
    test.each([
      ["a sub alone", { sid: undefined }],
      ["a sid alone", { sub: undefined }],
    ] as const)(
      "a logout token with %s ends who had signed in, and nobody who signs in later",
      async (_, claims) => {
        const [one, other] = instances(oneApart, otherApart);
        const ways: readonly Seen[] = [
          { login: one, callback: one },
          { login: one, callback: other },
          { login: other, callback: one },
          { login: other, callback: other },
        ];
        for (const way of ways) {
          const early = await signIn(way);
          world.advance(1);
          world.serve(other);
          expect((await deliver(world, world.provider.mintLogoutToken(claims))).status).toBe(204);
          world.advance(1);
          const late = await signIn(way);
          for (const at of [one, other]) {
            expect(await isSignedIn(early, at)).toBe(false);
            expect(await isSignedIn(late, at)).toBe(true);
          }
          world.advance(20);
        }
      },
    );
  },
);

test("whoever proves who they are after a logout token, in a sign-in that began before it, is signed in [OP-091]", async () => {
  const [auth] = instances(0, 0);
  const browser = world.browser();
  world.serve(auth);
  const begun = await startLogin(world, browser);
  world.advance(60);
  const token = world.provider.mintLogoutToken({ sid: undefined });
  expect((await deliver(world, token)).status).toBe(204);
  world.advance(60);
  await sendCallback(world, browser, await returnFrom(world, begun));
  expect(await isSignedIn(browser, auth)).toBe(true);
});

async function expectEnds(ways: readonly Seen[], at: Auth): Promise<void> {
  for (const way of ways) {
    const early = await signIn(way);
    world.advance(1);
    await at.endUser("person-of-the-hostile-provider", { operator: "test" });
    world.advance(1);
    const late = await signIn(way);
    expect(await isSignedIn(early, way.callback)).toBe(false);
    expect(await isSignedIn(late, way.callback)).toBe(true);
    world.advance(20);
  }
}

describe("signing out everywhere, where the clock of one instance is minutes or hours wrong", () => {
  test.each([300, -300, 3600, -3600])(
    "by %i s: there it ends who had signed in, and nobody who signs in later",
    async (wrongBy) => {
      const [right, wrong] = instances(0, wrongBy);
      await expectEnds([{ login: right, callback: right }], wrong);
    },
  );

  test("by 300 s: it ends who had signed in there, and nobody who signs in there later", async () => {
    const [right, wrong] = instances(0, 300);
    const ways = [
      { login: wrong, callback: wrong },
      { login: wrong, callback: right },
    ];
    await expectEnds(ways, right);
  });
});

describe.each([3600, -3600])("where the clock of the store is wrong by %i s", (wrongBy) => {
  const { clock = Date.now } = world.defaults;
  const storeClock = () => clock() + wrongBy * 1000;
  const options = () => ({
    ...world.defaults,
    store: aheadOfMachine({ ...memoryStore(storeClock), now: storeClock }, wrongBy),
  });

  test("signing out everywhere ends who had signed in, and nobody who signs in later", async () => {
    const auth = createAuth(options());
    await expectEnds([{ login: auth, callback: auth }], auth);
  });
});

/** The page shows the access token. */
async function tokenAt(browser: Browser, auth: Auth): Promise<string> {
  world.serve(auth, async (request, { of }) => {
    const answer = of(request).accessToken();
    return new Response(await answer.catch((error: AccessTokenError) => error.code));
  });
  return (await browser.request("/private")).text;
}

describe("an instance whose clock is wrong, and that refreshes the access token of somebody", () => {
  test.each([true, false])(
    "by an hour costs nobody their tokens, and no other instance takes an expired token for a good one; sessions in the store: %s",
    async (stateful) => {
      const [right, wrong] = instances(0, 3600, { session: { stateful } });
      const browser = await signIn({ login: right, callback: right });
      world.provider.resetLog();
      const fresh = await tokenAt(browser, wrong);
      expect(fresh).not.toMatch(/^ERR_/);
      expect(await tokenAt(browser, right)).toBe(fresh);
      expect(await tokenAt(browser, wrong)).toBe(fresh);
      expect(world.provider.requestsTo("refresh")).toHaveLength(1);
      world.advance(3600);
      const next = await tokenAt(browser, right);
      expect(next).not.toMatch(/^ERR_/);
      expect(next).not.toBe(fresh);
    },
  );
});

describe.each([600, -600, 3600, -3600])("an instance whose clock is wrong by %i s", (wrongBy) => {
  test("says so once, and signs in people whose access tokens end for all instances when they end", async () => {
    const [right, wrong] = instances(0, wrongBy);
    const warnings = () => world.events.filter(({ event }) => event === "warning");
    const before = warnings().length;
    const browser = await signIn({ login: wrong, callback: wrong });
    const token = await tokenAt(browser, right);
    expect(await tokenAt(browser, wrong)).toBe(token);
    world.advance(3600);
    expect(await tokenAt(browser, right)).not.toBe(token);
    const apart = `${Math.abs(wrongBy)} s ${wrongBy > 0 ? "ahead" : "behind"}`;
    const message = expect.stringContaining(`The clock of this server is ${apart}`);
    expect(warnings().slice(before)).toEqual([{ event: "warning", message }]);
  });

  test.each([true, false])(
    "finds nobody idle who is not, and makes nobody so; sessions in the store: %s",
    async (stateful) => {
      const session = { stateful, rollingDuration: 30, absoluteDuration: 7200 };
      const [right, wrong] = instances(0, wrongBy, { session });
      // It has heard what time it is.
      await signIn({ login: wrong, callback: wrong });
      const browser = await signIn({ login: right, callback: right });
      for (const at of [wrong, right]) {
        world.advance(20);
        expect(await isSignedIn(browser, at)).toBe(true);
      }
      world.advance(31);
      expect(await isSignedIn(browser, right)).toBe(false);
    },
  );

  test("ends a device when it is to end, at every instance", async () => {
    const [right, wrong] = instances(0, wrongBy, { session: { stateful: true } });
    const here = await signIn({ login: wrong, callback: right });
    const there = await signIn({ login: right, callback: wrong });
    world.serve(wrong, async (request, { of }) => {
      const ended = await of(request).endDevices("others", { afterSeconds: 60 });
      return Response.json(ended?.length);
    });
    expect((await here.request("/private")).text).toBe("1");
    for (const at of [right, wrong]) expect(await isSignedIn(there, at)).toBe(true);
    world.advance(40);
    for (const at of [right, wrong]) expect(await isSignedIn(there, at)).toBe(true);
    world.advance(22);
    for (const at of [right, wrong]) expect(await isSignedIn(there, at)).toBe(false);
  });
});
