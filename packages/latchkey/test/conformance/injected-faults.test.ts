import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createAuth, type Options } from "../../src/index.ts";
import { jarAfter, namesIn } from "../cookie-jar.ts";
import { createFaultInjector, type FaultInjector, type Lasting } from "./fault-injector.ts";
import { createQuickApp, type Jar, type QuickApp, quickRequest } from "./quick-app.ts";
import { createQuickProvider } from "./quick-provider.ts";

const unhandled: unknown[] = [];
const note = (reason: unknown) => void unhandled.push(reason);
beforeAll(() => {
  process.on("unhandledRejection", note);
});
afterAll(() => {
  process.off("unhandledRejection", note);
});

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

describe("whatever fails on the way, there is an answer, and", () => {
  test.each(setups)(
    "the callback makes no session: %s [ASVS-16.5.3, ASVS-16.5.4]",
    async (_, options) => {
      const count = await withEachFault(options, async ({ app }, under, told) => {
        const begun = await app.begin();
        const answer = await under(() => app.finish(begun));
        const isRefused = answer.status >= 400;
        expect([told, sessionNames(answer).length]).toEqual([told, isRefused ? 0 : 1]);
        expect([told, app.events.some(({ event }) => event === "refusal")]).toEqual([
          told,
          isRefused,
        ]);
      });
      expect(count).toBeGreaterThan(15);
    },
  );

  test.each(setups)("a refused callback stays refused: %s [ASVS-16.5.3]", async (_, options) => {
    const count = await withEachFault(options, async ({ app }, under, told) => {
      const begun = await app.begin();
      const headers = html;
      const query = new URLSearchParams({ code: begun.code, state: begun.state, iss: "https://x" });
      const address = `/api/auth/callback?${query.toString()}`;
      const answer = await under(() => app.ask(address, { jar: begun.jar, headers }));
      expect([told, answer.status >= 400]).toEqual([told, true]);
      expect(sessionNames(answer)).toEqual([]);
      expect(await answer.text()).not.toMatch(/injected|\n\s+at /);
    });
    expect(count).toBeGreaterThan(1);
  });

  test.each(setups)(
    "the guard lets nobody pass without a session: %s [ASVS-16.5.3]",
    async (_, options) => {
      const count = await withEachFault(options, async ({ app }, under, told) => {
        const jar = await app.signIn();
        await app.ask("/api/auth/logout", { jar });
        for (const path of ["/private", "/api/things"]) {
          for (const cookies of [{}, { appSession: "x" }, jar] as Jar[]) {
            const request = quickRequest(app.baseURL, path, { jar: cookies, headers: html });
            const guarded = await under(() => app.auth.guard(request));
            expect([told, path, guarded.passed]).toEqual([told, path, false]);
          }
        }
      });
      expect(count).toBeGreaterThan(1);
    },
  );

  test.each(setups)(
    "the guard lets people with a session pass with it, or not at all: %s [ASVS-16.5.3]",
    async (_, options) => {
      await withEachFault(options, async ({ app }, under, told) => {
        const jar = await app.signIn();
        const request = quickRequest(app.baseURL, "/private", { jar, headers: html });
        const guarded = await under(() => app.auth.guard(request));
        const outcome = guarded.passed ? guarded.visit?.session?.user.sub : guarded.response.status;
        expect([told, ["quick-person", 500, 503]]).toEqual([
          told,
          expect.arrayContaining([outcome]) as unknown,
        ]);
        // A fault is no reason to sign anybody out.
        const me = await app.ask("/api/auth/me", { jar });
        expect([told, me.status]).toEqual([told, 200]);
      });
    },
  );

  test("back-channel logout says no, and works when the token comes again [ASVS-16.5.3, STD-104, REL-R06]", async () => {
    const count = await withEachFault({}, async ({ app }, under, told) => {
      const jar = await app.signIn();
      const now = Math.floor(Date.now() / 1000);
      const logoutToken = app.provider.sign({
        iss: app.provider.issuer,
        aud: "quick",
        iat: now,
        exp: now + 120,
        jti: "a-logout-token",
        sid: "quick-session",
        events: { "http://schemas.openid.net/event/backchannel-logout": {} },
      });
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
      // Refused for a fault of ours, it works when it comes again; taken, it does not come again.
      expect([told, (await deliver()).status]).toEqual([told, isTaken ? 400 : 204]);
      expect([told, await isSignedIn()]).toEqual([told, false]);
    });
    expect(count).toBeGreaterThan(5);
  });

  test.each(setups)(
    "logout takes the cookie away: %s [ASVS-16.5.3, STD-128]",
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

  test.each([
    "/api/auth/login",
    "/api/auth/me",
    "/_auth/session.json",
    "/api/auth/callback",
    "/api/auth/nothing",
  ])("%s tells nothing of the inside [ASVS-16.5.1, ASVS-16.5.4]", async (path) => {
    for (const accept of ["text/html", "application/json", "text/plain"]) {
      await withEachFault({ refetchUserinfo: true }, async ({ app }, under, told) => {
        const jar = await app.signIn();
        const answer = await under(() => app.ask(path, { jar, headers: { accept } }));
        expect([told, await answer.text()]).toEqual([
          told,
          expect.not.stringMatching(/injected|\n\s+at |node:/) as unknown,
        ]);
      });
    }
  });

  test("an access token is had, or one of the errors of the catalogue, and the person stays signed in [ASVS-16.5.3]", async () => {
    await withEachFault({}, async ({ app }, under, told) => {
      const jar = await app.signIn();
      const request = quickRequest(app.baseURL, "/private", { jar });
      const outcome = await under(() =>
        app.auth
          .of(request)
          .accessToken({ refresh: true })
          .catch((error: unknown) => error),
      );
      const kind = outcome instanceof Error ? outcome.constructor.name : "token";
      expect([told, ["token", "AccessTokenError", "Refusal", "Error"]]).toEqual([
        told,
        expect.arrayContaining([kind]) as unknown,
      ]);
      const after = jarAfter((await app.ask("/api/auth/me", { jar })).headers.getSetCookie(), jar);
      expect([told, (await app.ask("/api/auth/me", { jar: after })).status]).toEqual([told, 200]);
    });
  });
});

test("an app that cannot be set up says so at once, and never in an answer", () => {
  const { app } = rigged();
  expect(() => createAuth({ ...app.options, secret: "" })).toThrow(/LATCHKEY_SECRET/);
});
