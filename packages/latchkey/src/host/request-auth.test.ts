import { describe, expect, test } from "vitest";

import { handleRequest } from "../../test/handle-request.ts";
import { createQuickApp } from "../../test/worlds/quick-app.ts";
import { goodSettings } from "../../test/settings.ts";
import { signedInExchanges } from "../../test/sessions/signed-in-exchanges.ts";
import { createAuth, type Options } from "./auth.ts";
import { Forbidden, SignInRequired } from "../errors/access-errors.ts";
import type { RequestAuth } from "./request-auth.ts";
import { SessionAuth } from "./session-auth.ts";
import { signedInCookies } from "../testing/index.ts";

const own = "https://app.example";
const now = 1_800_000_000;
const session = { user: { sub: "ada", name: "Ada" }, accessToken: "at" };
const options: Options = {
  ...goodSettings,
  publicPaths: ["/public/"],
  clock: () => now * 1000,
  log: () => undefined,
};
const auth = createAuth(options);

function ask(cookie: string, headers: Record<string, string> = {}): Request {
  const all = { cookie, accept: "application/json", ...headers };
  return new Request(`${own}/public/page`, { headers: all });
}

const signedIn = () => signedInCookies({ options, session });

async function handle<T>(cookie: string, handler: (here: RequestAuth) => T | Promise<T>) {
  return handleRequest(auth, ask(cookie), handler);
}

describe("what a handler sees", () => {
  test("the session has its data and its times, and user is its user", async () => {
    const { made } = await handle(await signedIn(), (here) => ({
      session: here.session,
      isSame: here.user === here.session?.user,
      ended: here.ended,
    }));
    expect(made).toEqual({
      session: {
        ...session,
        times: {
          startedAt: now,
          createdAt: now,
          updatedAt: now,
          rollingEndsAt: now + 86_400,
          absoluteEndsAt: now + 604_800,
          endsAt: now + 86_400,
        },
      },
      isSame: true,
      ended: undefined,
    });
  });

  test("the session is the same object at every access", async () => {
    const { made } = await handle(await signedIn(), (here) => here.session === here.session);
    expect(made).toBe(true);
  });

  test("without a session both are null, and nothing has ended", async () => {
    const see = (here: RequestAuth) => [here.session, here.user, here.ended];
    expect((await handle("", see)).made).toEqual([null, null, undefined]);
  });

  test("an ended session says why", async () => {
    const see = (here: RequestAuth) => [here.user, here.ended];
    expect((await handle("appSession=x", see)).made).toEqual([null, "unreadable"]);
    const later = createAuth({ ...options, clock: () => (now + 86_400) * 1000 });
    const { made } = await handleRequest(later, ask(await signedIn()), see);
    expect(made).toEqual([null, "idle"]);
  });
});

describe("require", () => {
  test("it returns the same object for a signed-in user", async () => {
    const { made } = await handle(await signedIn(), (here) => {
      const required = here.require();
      return [required === here, required.user.sub, required.session.accessToken];
    });
    expect(made).toEqual([true, "ada", "at"]);
  });

  test("a page without a session is sent to login and back", async () => {
    const request = ask("", { accept: "text/html" });
    const { response } = await handleRequest(auth, request, (here) => here.require());
    expect(response.status).toBe(302);
    expect(response.headers.get("location")).toBe(
      `${own}/api/auth/login?returnTo=%2Fpublic%2Fpage`,
    );
    expect(response.headers.get("cache-control")).toBe("private, no-store");
  });

  test("a script without a session is answered 401", async () => {
    const request = ask("", { "sec-fetch-mode": "cors" });
    const { response } = await handleRequest(auth, request, (here) => here.require());
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ error: "not_authenticated" });
  });

  test.each([
    ["text/html", "text/html; charset=utf-8"],
    ["application/json", "application/json; charset=utf-8"],
    ["*/*", "application/json; charset=utf-8"],
    ["text/plain", "text/plain; charset=utf-8"],
  ])("a user for whom the rule does not hold gets 403, as %s", async (accept, type) => {
    const request = ask(await signedIn(), { accept });
    const { response } = await handleRequest(auth, request, (here) =>
      here.require(({ user }) => user.sub === "ben"),
    );
    expect([response.status, response.headers.get("content-type")]).toEqual([403, type]);
    expect(response.headers.get("cache-control")).toBe("private, no-store");
  });

  test("a fulfilled rule lets the handler go on", async () => {
    const { made } = await handle(
      await signedIn(),
      (here) => here.require(({ user }) => user.sub === "ada").user.name,
    );
    expect(made).toBe("Ada");
  });

  test("a handler may catch what it throws, and respond itself", async () => {
    const caught: unknown[] = [];
    const keep = (run: () => unknown) => {
      try {
        run();
      } catch (error) {
        caught.push(error);
      }
    };
    const { response } = await handle("", (here) => keep(() => here.require()));
    await handle(await signedIn(), (here) => keep(() => here.require(() => false)));
    expect(await response.text()).toBe("page");
    expect(caught).toEqual([expect.any(SignInRequired), expect.any(Forbidden)]);
    expect(caught).toMatchObject([
      { status: 401, code: "ERR_SIGN_IN_REQUIRED" },
      { status: 403, code: "ERR_FORBIDDEN" },
    ]);
  });
});

test("an unsigned ID token of a refresh changes nothing (OpenID Connect Core 12.2)", async () => {
  const app = createQuickApp({ production: false });
  const jar = await app.signIn();
  const { provider } = app;
  const changed = { ...provider.goodClaims(""), nonce: undefined, name: "Mallory" };
  provider.answers.token = (good) =>
    Response.json({ ...good, id_token: provider.sign(changed).replace(/.{5}$/, "AAAAA") });
  await app.open("/", { jar }, async (here) => {
    const refreshing = here.accessToken({ refresh: true });
    await expect(refreshing).rejects.toMatchObject({ code: "ERR_FAILED_REFRESH_GRANT" });
    expect(here.user?.name).toBe("Quick Person");
    return new Response();
  });
});

test("a host learns of a refusal, also if the handler catches it", async () => {
  const { context, ask: exchangeWith } = await signedInExchanges();
  const told: unknown[] = [];
  const here = new SessionAuth(context, exchangeWith({}), (error) => void told.push(error));
  expect([here.session, here.user, here.ended]).toEqual([null, null, undefined]);
  expect(() => here.require()).toThrow(SignInRequired);
  await expect(here.accessToken()).rejects.toMatchObject({ code: "ERR_MISSING_SESSION" });
  expect(told).toMatchObject([{ code: "ERR_SIGN_IN_REQUIRED" }, { code: "ERR_MISSING_SESSION" }]);
});
