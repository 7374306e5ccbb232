import { describe, expect, test } from "vitest";

import { signIn } from "./world/attempt.ts";
import { responseTypes } from "./world/behavior-cases.ts";
import { startHostileWorld } from "./world/hostile-world.ts";
import { createQuickApp } from "../worlds/quick-app.ts";
import { logsStayQuiet } from "./world/quiet-logs.ts";

const world = await startHostileWorld();

const protectedBytes = "for signed-in people only";
const page = () =>
  new Response(protectedBytes, {
    headers: { "Cache-Control": "public, max-age=60, s-maxage=600", ETag: '"x"' },
  });

test("the app ignores every header and host of a request when it builds addresses [ATK-056, STD-052]", async () => {
  const app = createQuickApp();
  const headers = {
    "x-forwarded-host": "evil.example",
    "x-forwarded-proto": "https",
    "x-forwarded-port": "1",
    forwarded: "for=127.0.0.1;host=evil.example;proto=https",
  };
  for (const host of [app.baseURL, "http://evil.example", "https://localhost:1"]) {
    const guarded = await app.open(`${host}/private`, { headers });
    expect(guarded.headers.get("location")).toBe(
      `${app.baseURL}/api/auth/login?returnTo=%2Fprivate`,
    );
    const login = await app.ask(`${host}/api/auth/login`, { headers });
    const { searchParams } = new URL(login.headers.get("location") ?? "");
    expect(searchParams.get("redirect_uri")).toBe(`${app.baseURL}/api/auth/callback`);
  }
});

test("no query, body or header of a request names a signed-in user [ATK-029]", async () => {
  world.setUp({ page });
  const claimed = "sub=admin&user=admin&userId=1&user_id=1&id=1";
  for (const init of [
    {},
    { method: "POST", body: new URLSearchParams(claimed) },
    { headers: { "x-sub": "admin", user: "admin", "content-type": "application/json" } },
  ]) {
    const me = await world.browser().request(`/api/auth/me?${claimed}`, init);
    expect([204, 405]).toContain(me.status);
    const things = await world.browser().request(`/api/things?${claimed}`, init);
    expect(things.status).toBe(401);
  }
  const { browser } = await signIn(world);
  const me = await browser.request(`/api/auth/me?${claimed}`);
  expect(JSON.parse(me.text)).toMatchObject({ sub: world.provider.person["sub"] });
});

describe("a shared cache", () => {
  test.each([
    ["/api/auth/me", true],
    ["/api/auth/me", false],
    ["/_auth/session.json", true],
    ["/_auth/session.json", false],
    ["/private", true],
    ["/private", false],
    ["/api/things", false],
  ] as const)(
    "may keep no response of %s, signed in: %s, and sees that it varies by cookie (RFC 9111, 5.2.2) [STD-145, STD-146]",
    async (path, signedIn) => {
      world.setUp({ page });
      const browser = signedIn ? (await signIn(world)).browser : world.browser();
      const { headers } = await browser.request(path);
      expect(headers.get("cache-control")).toMatch(/private.*no-store/);
      expect(headers.get("cache-control")).not.toMatch(/public|max-age/);
      expect(headers.get("vary")).toMatch(/cookie/i);
    },
  );
});

describe("the tokens of a session", () => {
  test.each(responseTypes)(
    "never reach the browser in a body, header or address, with response type %s [STD-091, ASVS-14.2.1]",
    async (responseType) => {
      world.setUp({
        options: { responseType },
        page: async (request, auth) => {
          const { session } = auth.of(request);
          tokens = [session?.accessToken, session?.refreshToken, session?.idToken];
          return new Response("page");
        },
      });
      let tokens: (string | undefined)[] = [];
      const { browser, login, callback } = await signIn(world);
      const answers = [login, callback?.answer];
      for (const path of [
        "/private",
        "/api/auth/me",
        "/_auth/session.json",
        "/api/things",
        "/api/auth/login",
      ]) {
        answers.push(await browser.request(path));
      }
      const seen = answers.map(
        (each) => `${each?.text} ${JSON.stringify([...(each?.headers ?? [])])}`,
      );
      const values = tokens.filter((token) => token !== undefined);
      expect(values).toHaveLength(responseType === "id_token" ? 1 : 3);
      for (const token of values) expect(seen.join("\n")).not.toContain(token);
      // The one exception: the ID token, a hint in the provider's end-session address.
      const logout = await browser.request("/api/auth/logout");
      for (const token of values.slice(0, -1)) expect(logout.location).not.toContain(token);
    },
  );
});

describe("other sites", () => {
  test.each(["https://evil.example", "null", "http://localhost.evil.example"])(
    "receive no CORS permission, with or without a preflight request: %s [STD-095]",
    async (origin) => {
      world.setUp({ page });
      const { browser } = await signIn(world);
      for (const path of [
        "/api/auth/me",
        "/_auth/session.json",
        "/api/auth/logout",
        "/api/auth/backchannel-logout",
        "/api/auth/login",
      ]) {
        for (const method of ["GET", "OPTIONS"]) {
          const answer = await world.browser().request(path, {
            method,
            headers: {
              origin,
              "access-control-request-method": "POST",
              cookie: await browser.cookies(),
            },
          });
          const allowed = [...answer.headers].filter(([name]) =>
            name.startsWith("access-control-"),
          );
          expect([path, method, allowed]).toEqual([path, method, []]);
        }
      }
    },
  );
});

logsStayQuiet(world);
