import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { type Options } from "../../../src/index.ts";
import { type Jar, jarAfter, namesIn } from "../../browser/cookie-jar.ts";
import { words } from "../../words.ts";
import { createFaultInjector, type FaultInjector, type Lasting } from "../world/fault-injector.ts";
import { createQuickApp, isThePage, type Page, type QuickApp } from "../../worlds/quick-app.ts";
import { createQuickProvider } from "../../worlds/quick-provider.ts";

const unhandled: unknown[] = [];
const note = (reason: unknown) => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", note));
afterAll(() => void process.off("unhandledRejection", note));

/** An app in which any call to what it was given can be made to fail. */
interface Rig {
  readonly app: QuickApp;
  readonly injector: FaultInjector;
}

function rigged(options: Partial<Options> = {}): Rig {
  // Without a network between them, a sign-in and its logout would fall into one millisecond.
  let ticks = 0;
  const clock = () => Date.now() + (ticks += 1);
  const provider = createQuickProvider(clock);
  const injector = createFaultInjector({ fetch: provider.fetch, clock });
  const app = createQuickApp({ backchannelLogout: true, ...injector.parts, ...options }, provider);
  return { app, injector };
}

const lastings: readonly Lasting[] = ["once", "from then on"];
const callsAtMost = 200;

/**
 * Repeats an action, each time in a new app, with the first, the second, the third call failing,
 * until no call fails.
 *
 * @param act performs the action and checks its result
 * @returns the number of calls made to fail
 */
async function withEachFault(
  options: Partial<Options>,
  act: (
    rig: Rig,
    under: <T>(run: () => T | Promise<T>) => Promise<T>,
    label: string,
  ) => Promise<void>,
): Promise<number> {
  let count = 0;
  for (const lasting of lastings) {
    for (let nth = 1; nth < callsAtMost; nth += 1) {
      const rig = rigged(options);
      let fired = false;
      const under = async <T>(run: () => T | Promise<T>): Promise<T> => {
        rig.injector.arm(nth, lasting);
        try {
          return await run();
        } finally {
          fired = rig.injector.disarm();
        }
      };
      await act(rig, under, `call ${nth}, ${lasting}`);
      if (!fired) break;
      count += 1;
    }
  }
  await new Promise((resolve) => setImmediate(resolve));
  expect(unhandled).toEqual([]);
  return count;
}

const html = { accept: "text/html" };
const setups: readonly (readonly [name: string, options: Partial<Options>])[] = [
  ["session in the cookie", {}],
  ["session in the store", { session: { stateful: true } }],
  ["userinfo asked", { userinfo: "always" }],
];

const sessionNames = (answer: Response) =>
  namesIn(answer.headers.getSetCookie()).set.filter((name) => name.startsWith("appSession"));

describe("with a failing call, the engine responds, and", () => {
  test.each(setups)(
    "creates no session in a failed callback: %s [ASVS-16.5.3, ASVS-16.5.4]",
    async (_, options) => {
      const count = await withEachFault(options, async ({ app }, under, label) => {
        const begun = await app.begin();
        const answer = await under(() => app.finish(begun));
        const isRefused = answer.status >= 400;
        expect([label, sessionNames(answer).length]).toEqual([label, isRefused ? 0 : 1]);
        const isLogged = app.events.some(({ event }) => event === "refusal");
        expect([label, isLogged]).toEqual([label, isRefused]);
      });
      expect(count).toBeGreaterThan(15);
    },
  );

  test.each(setups)("rejects an invalid callback: %s [ASVS-16.5.3]", async (_, options) => {
    const count = await withEachFault(options, async ({ app }, under, label) => {
      const { code, state, jar } = await app.begin();
      const query = new URLSearchParams({ code, state, iss: "https://x" });
      const address = `/api/auth/callback?${query.toString()}`;
      const answer = await under(() => app.ask(address, { jar, headers: html }));
      expect([label, answer.status >= 400]).toEqual([label, true]);
      expect(sessionNames(answer)).toEqual([]);
      expect(await answer.text()).not.toMatch(/injected|\n\s+at /);
    });
    expect(count).toBeGreaterThan(1);
  });

  test.each(setups)(
    "keeps requests without a session from protected pages: %s [ASVS-16.5.3]",
    async (_, options) => {
      const count = await withEachFault(options, async ({ app }, under, label) => {
        const jar = await app.signIn();
        await app.ask("/api/auth/logout", { jar });
        for (const path of ["/private", "/api/things"]) {
          for (const cookies of [{}, { appSession: "x" }, jar] as Jar[]) {
            const answer = await under(() => app.open(path, { jar: cookies, headers: html }));
            expect([label, path, await isThePage(answer)]).toEqual([label, path, false]);
          }
        }
      });
      expect(count).toBeGreaterThan(1);
    },
  );

  test.each(setups)(
    "serves a page with the session of the request, or responds with 5xx: %s [ASVS-16.5.3]",
    async (_, options) => {
      await withEachFault(options, async ({ app }, under, label) => {
        const jar = await app.signIn();
        const page: Page = ({ user }) => new Response(user?.sub);
        const answer = await under(() => app.open("/private", { jar, headers: html }, page));
        const outcome = answer.ok ? await answer.text() : answer.status;
        expect([label, outcome]).toEqual([label, expect.toBeOneOf(["quick-person", 500, 503])]);
        // A fault ends no session.
        expect([label, (await app.ask("/api/auth/me", { jar })).status]).toEqual([label, 200]);
      });
    },
  );

  test("accepts a logout token, rejected because of a fault of ours, when it is sent again (Back-Channel Logout 1.0, 2.8) [ASVS-16.5.3, STD-104, REL-R06]", async () => {
    const count = await withEachFault({}, async ({ app }, under, label) => {
      const jar = await app.signIn();
      const logoutToken = app.provider.logoutToken({ sid: "quick-session" });
      const deliver = () =>
        app.ask("/api/auth/backchannel-logout", {
          method: "POST",
          body: new URLSearchParams({ logout_token: logoutToken }),
        });
      const isSignedIn = async () => (await app.ask("/api/auth/me", { jar })).status === 200;
      const answer = await under(deliver);
      const isTaken = answer.status === 204;
      expect([label, answer.status]).toEqual([label, isTaken ? 204 : 400]);
      expect([label, isTaken && (await isSignedIn())]).toEqual([label, false]);
      // After a rejection for our fault the second attempt works; after a success it is rejected.
      expect([label, (await deliver()).status]).toEqual([label, isTaken ? 400 : 204]);
      expect([label, await isSignedIn()]).toEqual([label, false]);
    });
    expect(count).toBeGreaterThan(5);
  });

  test.each(setups)(
    "clears the session cookie at logout: %s [ASVS-16.5.3, STD-128]",
    async (_, options) => {
      const count = await withEachFault(options, async ({ app }, under, label) => {
        const jar = await app.signIn();
        const answer = await under(() => app.ask("/api/auth/logout", { jar, headers: html }));
        const { cleared } = namesIn(answer.headers.getSetCookie());
        expect([label, cleared.includes("appSession")]).toEqual([label, true]);
      });
      expect(count).toBeGreaterThan(5);
    },
  );

  test.each(words`
    /api/auth/login /api/auth/me /_auth/session.json /api/auth/callback /api/auth/nothing
  `)(
    "in production, %s shows nothing of the error itself [ASVS-16.5.1, ASVS-16.5.4]",
    async (path) => {
      for (const accept of ["text/html", "application/json", "text/plain"]) {
        const options = { refetchUserinfo: true, production: true };
        await withEachFault(options, async ({ app }, under, label) => {
          const jar = await app.signIn();
          const answer = await under(() => app.ask(path, { jar, headers: { accept } }));
          expect(`${label}: ${await answer.text()}`).not.toMatch(/injected|\n\s+at |node:/);
        });
      }
    },
  );

  test("returns a token from accessToken() or rejects, and keeps the user signed in [ASVS-16.5.3]", async () => {
    const page: Page = async (auth) => {
      const outcome = await auth.accessToken({ refresh: true }).catch((error: unknown) => error);
      return new Response(outcome instanceof Error ? outcome.constructor.name : "token");
    };
    await withEachFault({}, async ({ app }, under, label) => {
      const jar = await app.signIn();
      const answer = await under(() => app.open("/private", { jar }, page));
      const outcome = answer.ok ? await answer.text() : answer.status;
      const known = ["token", "AccessTokenError", "Refusal", "Error", 500, 503];
      expect([label, outcome]).toEqual([label, expect.toBeOneOf(known)]);
      const after = jarAfter(answer.headers.getSetCookie(), jar);
      for (const cookies of [jar, after]) {
        expect([label, (await app.ask("/api/auth/me", { jar: cookies })).status]).toEqual([
          label,
          200,
        ]);
      }
    });
  });
});
