import { describe, expect, test } from "vitest";

import { type AccessTokenError, type Auth, createAuth, type Options } from "../../../src/index.ts";
import type { Status, Telemetry } from "../../../src/telemetry/telemetry.ts";
import { memoryStore } from "../../../src/stores/memory.ts";
import type { Store } from "../../../src/stores/store.ts";
import { longTests } from "../../long-tests.ts";
import type { Browser } from "../../browser/browser.ts";
import { returnFrom, sendCallback, startLogin } from "../world/attempt.ts";
import { startHostileWorld } from "../world/hostile-world.ts";
import { deliver } from "../world/oracles.ts";

const world = await startHostileWorld();

/** Returns a store as an instance sees it from a machine whose clock is so many seconds behind. */
function aheadOfMachine(store: Store, seconds: number): Store {
  return {
    ...store,
    set: (key, value, until) => store.set(key, value, until + seconds),
    add: (key, value, until) => store.add(key, value, until + seconds),
    swap: (key, expected, value, until) => store.swap(key, expected, value, until + seconds),
    join: (index, key, until) => store.join(index, key, until + seconds),
  };
}

/** Two instances of one app with one store. Each has its own clock. */
function instances(
  oneApart: number,
  otherApart: number,
  more: Partial<Options> = {},
): readonly [Auth, Auth] {
  const { clock = Date.now } = world.defaults;
  const store = memoryStore(clock);
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

/** Within the tolerance of 60 s, also if the second changes during a callback. */
const farthest = [
  [5, -5],
  [59, -59],
  [-59, 59],
] as const;
const between = [
  [-5, 5],
  [0, 5],
  [-5, 0],
  [0, 0],
] as const;

describe.each([...farthest, ...(longTests ? between : [])])(
  "an app with two instances whose clocks are %i s and %i s apart from the provider's [OP-091, STD-117]",
  (oneApart, otherApart) => {
    test.each([
      ["a sub alone", { sid: undefined }],
      ["a sid alone", { sub: undefined }],
    ] as const)(
      "ends earlier sessions by a logout token with %s, and no later one",
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

test.each([0, 3600, -3600])(
  "the app ends all earlier sessions of a user by command, and no later one, if the store's clock is %i s ahead",
  async (ahead) => {
    const { clock = Date.now } = world.defaults;
    const storeClock = () => clock() + ahead * 1000;
    const store = aheadOfMachine(memoryStore(storeClock), ahead);
    // The command has never called the provider.
    const [app, command] = [
      createAuth({ ...world.defaults, store }),
      createAuth({ ...world.defaults, store }),
    ];
    await expectEnds([{ login: app, callback: app }], command);
  },
);

/** The page shows the access token. */
async function tokenAt(browser: Browser, auth: Auth): Promise<string> {
  world.serve(auth, async (request, { of }) => {
    const answer = of(request).accessToken();
    return new Response(await answer.catch((error: AccessTokenError) => error.code));
  });
  return (await browser.request("/private")).text;
}

describe.each([120, -120, 3600, -3600, ...(longTests ? [600, -600] : [])])(
  "an instance whose clock is wrong by %i s",
  (wrongBy) => {
    const apart = wrongBy > 0 ? "ahead of" : "behind";
    const message = expect.stringMatching(
      new RegExp(
        `^The clock of this server is \\d+ s ${apart} the provider's: it signs no user in`,
      ),
    ) as string;

    test("signs no user in, and reports the reason once in the log, in the status, and by the kind of the problem", async () => {
      let status: (() => Status) | undefined;
      const telemetry: Telemetry = { onOpen: (its) => (status = its) };
      const [, wrong] = instances(0, wrongBy, { telemetry });
      const before = world.events.length;
      for (let count = 0; count < 2; count += 1) {
        const browser = await signIn({ login: wrong, callback: wrong });
        expect(await isSignedIn(browser, wrong)).toBe(false);
      }
      const events = world.events.slice(before);
      expect(events.filter(({ event }) => event === "warning")).toEqual([
        { event: "warning", message },
      ]);
      expect(status?.().warnings).toContainEqual(message);
      expect(events).toContainEqual(
        expect.objectContaining({
          event: "refusal",
          reason: expect.stringMatching(/^token_(?:issued_at|expired)$/) as string,
          detail: expect.stringContaining("clock of this server") as string,
        }),
      );
    });

    test("sends no refresh token, so the other instances keep it", async () => {
      const [right, wrong] = instances(0, wrongBy);
      const browser = await signIn({ login: right, callback: right });
      const token = await tokenAt(browser, right);
      world.provider.resetLog();
      await tokenAt(browser, wrong);
      expect(world.provider.requestsTo("refresh")).toEqual([]);
      expect(await tokenAt(browser, right)).toBe(token);
      world.advance(3600);
      expect(await tokenAt(browser, right)).not.toMatch(/^ERR_/);
    });
  },
);
