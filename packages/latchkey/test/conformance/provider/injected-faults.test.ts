import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createAuth, type Options } from "../../../src/index.ts";
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
 * Does the same thing over and over, in an app of its own each time, with the first, the second, the third call
 * failing, until none fails any more.
 *
 * @param act does it, and looks at what came of it
 * @returns how many calls were made to fail
 */
async function withEachFault(
  options: Partial<Options>,
  act: (
    rig: Rig,
    under: <T>(run: () => T | Promise<T>) => Promise<T>,
    told: string,
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

describe("whatever call fails, there is a response, and", () => {
  test.each(setups)(
    "a callback that failed makes no session: %s [ASVS-16.5.3, ASVS-16.5.4]",
    async (_, options) => {
      const count = await withEachFault(options, async ({ app }, under, told) => {
        const begun = await app.begin();
        const answer = await under(() => app.finish(begun));
        const isRefused = answer.status >= 400;
        expect([told, sessionNames(answer).length]).toEqual([told, isRefused ? 0 : 1]);
        const isLogged = app.events.some(({ event }) => event === "refusal");
        expect([told, isLogged]).toEqual([told, isRefused]);
      });
      expect(count).toBeGreaterThan(15);
    },
  );

  test.each(setups)(
    "a callback that must be refused is refused: %s [ASVS-16.5.3]",
    async (_, options) => {
      const count = await withEachFault(options, async ({ app }, under, told) => {
        const { code, state, jar } = await app.begin();
        const query = new URLSearchParams({ code, state, iss: "https://x" });
        const address = `/api/auth/callback?${query.toString()}`;
        const answer = await under(() => app.ask(address, { jar, headers: html }));
        expect([told, answer.status >= 400]).toEqual([told, true]);
        expect(sessionNames(answer)).toEqual([]);
        expect(await answer.text()).not.toMatch(/injected|\n\s+at /);
      });
      expect(count).toBeGreaterThan(1);
    },
  );

  test.each(setups)(
    "no request without a session reaches a protected page: %s [ASVS-16.5.3]",
    async (_, options) => {
      const count = await withEachFault(options, async ({ app }, under, told) => {
        const jar = await app.signIn();
        await app.ask("/api/auth/logout", { jar });
        for (const path of ["/private", "/api/things"]) {
          for (const cookies of [{}, { appSession: "x" }, jar] as Jar[]) {
            const answer = await under(() => app.open(path, { jar: cookies, headers: html }));
            expect([told, path, await isThePage(answer)]).toEqual([told, path, false]);
          }
        }
      });
      expect(count).toBeGreaterThan(1);
    },
  );

  test.each(setups)(
    "a request with a session reaches a page with that session, or is answered 5xx: %s [ASVS-16.5.3]",
    async (_, options) => {
      await withEachFault(options, async ({ app }, under, told) => {
        const jar = await app.signIn();
        const page: Page = ({ user }) => new Response(user?.sub);
        const answer = await under(() => app.open("/private", { jar, headers: html }, page));
        const outcome = answer.ok ? await answer.text() : answer.status;
        expect([told, outcome]).toEqual([told, expect.toBeOneOf(["quick-person", 500, 503])]);
        // A fault signs nobody out.
        expect([told, (await app.ask("/api/auth/me", { jar })).status]).toEqual([told, 200]);
      });
    },
  );

  test("a logout token that was refused for a fault of ours works when it is sent again (Back-Channel Logout 1.0, 2.8) [ASVS-16.5.3, STD-104, REL-R06]", async () => {
    const count = await withEachFault({}, async ({ app }, under, told) => {
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
      expect([told, answer.status]).toEqual([told, isTaken ? 204 : 400]);
      expect([told, isTaken && (await isSignedIn())]).toEqual([told, false]);
      // Refused for a fault of ours, it works the second time; taken, it is refused the second time.
      expect([told, (await deliver()).status]).toEqual([told, isTaken ? 400 : 204]);
      expect([told, await isSignedIn()]).toEqual([told, false]);
    });
    expect(count).toBeGreaterThan(5);
  });

  test.each(setups)(
    "logout clears the session cookie: %s [ASVS-16.5.3, STD-128]",
    async (_, options) => {
      const count = await withEachFault(options, async ({ app }, under, told) => {
        const jar = await app.signIn();
        const answer = await under(() => app.ask("/api/auth/logout", { jar, headers: html }));
        const { cleared } = namesIn(answer.headers.getSetCookie());
        expect([told, cleared.includes("appSession")]).toEqual([told, true]);
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
        await withEachFault(options, async ({ app }, under, told) => {
          const jar = await app.signIn();
          const answer = await under(() => app.ask(path, { jar, headers: { accept } }));
          expect(`${told}: ${await answer.text()}`).not.toMatch(/injected|\n\s+at |node:/);
        });
      }
    },
  );

  test("accessToken() returns a token or rejects, and the user stays signed in [ASVS-16.5.3]", async () => {
    const page: Page = async (auth) => {
      const outcome = await auth.accessToken({ refresh: true }).catch((error: unknown) => error);
      return new Response(outcome instanceof Error ? outcome.constructor.name : "token");
    };
    await withEachFault({}, async ({ app }, under, told) => {
      const jar = await app.signIn();
      const answer = await under(() => app.open("/private", { jar }, page));
      const outcome = answer.ok ? await answer.text() : answer.status;
      const known = ["token", "AccessTokenError", "Refusal", "Error", 500, 503];
      expect([told, outcome]).toEqual([told, expect.toBeOneOf(known)]);
      const after = jarAfter(answer.headers.getSetCookie(), jar);
      for (const cookies of [jar, after]) {
        expect([told, (await app.ask("/api/auth/me", { jar: cookies })).status]).toEqual([
          told,
          200,
        ]);
      }
    });
  });
});

test("an app that cannot be set up rejects from ready() and shows no setting in a response", async () => {
  const { app } = rigged();
  const auth = createAuth({ ...app.options, secret: "", production: true });
  await expect(auth.ready()).rejects.toThrow(/LATCHKEY_SECRET/);
  const answer = await auth.respond(new Request(`${app.baseURL}/api/auth/me`), () => {
    throw new Error("no request may pass");
  });
  expect([answer.status, await answer.text()]).toEqual([
    500,
    "Sign-in is not set up yet. The log says why.",
  ]);
});
