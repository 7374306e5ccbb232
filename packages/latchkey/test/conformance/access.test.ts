import { describe, expect, test } from "vitest";

import { signIn } from "./world/attempt.ts";
import { responseTypes } from "./world/behaviour-cases.ts";
import { startHostileWorld } from "./world/hostile-world.ts";
import { createQuickApp } from "../worlds/quick-app.ts";
import { logsStayQuiet } from "./world/quiet-logs.ts";

const world = await startHostileWorld();

const protectedBytes = "for signed-in people only";
const page = () =>
  new Response(protectedBytes, {
    headers: { "Cache-Control": "public, max-age=60, s-maxage=600", ETag: '"x"' },
  });

test("no header and no host of a request changes the host of an address [ATK-056, STD-052]", async () => {
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

test("query, body and headers of a request name nobody as signed in [ATK-029]", async () => {
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
    "may keep no response of %s, signed in: %s, and is told that it differs by cookie (RFC 9111, 5.2.2) [STD-145, STD-146]",
    async (path, signedIn) => {
      world.setUp({ page });
      const browser = signedIn ? (await signIn(world)).browser : world.browser();
      const { headers } = await browser.request(path);
      expect(headers.get("cache-control")).toMatch(/private.*no-store/);
      expect(headers.get("cache-control")).not.toMatch(/public|max-age/);
      expect(headers.get("vary")).toMatch(/cookie/i);
    },
  );

  test.each(["login", "logout", "callback", "backchannel-logout", "unknown"])(
    "may keep no response of the auth route %s (RFC 9111, 5.2.2) [STD-145, ATK-056]",
    async (name) => {
      world.setUp({ page });
      const { headers } = await world.browser().request(`/api/auth/${name}`);
      expect(headers.get("cache-control")).toMatch(/no-store/);
      expect(headers.get("cache-control")).not.toMatch(/public|max-age/);
    },
  );

  test("hands nobody the page or the cookie of another user, though the app marks its page public [ATK-005, STD-145]", async () => {
    world.setUp({ page: async (request, auth) => cacheable(auth.of(request).session?.user.sub) });
    const cached = sharedCache(world.baseURL);
    const ada = await signIn(world);
    world.provider.behave({
      idToken: { claims: (own) => ({ ...own, sub: "eve" }) },
      userinfo: () => ({ sub: "eve" }),
    });
    const eve = await signIn(world);
    const seen = [];
    for (const { browser } of [ada, eve, ada]) {
      const answer = await cached("/private", await browser.cookies());
      seen.push([answer.text, answer.setCookie.length]);
    }
    const sub = String(world.provider.person["sub"]);
    expect(seen).toEqual([
      [`page of ${sub}`, 1],
      ["page of eve", 1],
      [`page of ${sub}`, 1],
    ]);
    expect((await cached("/private", "")).text).toBe("");
  });

  function cacheable(sub: string | undefined): Response {
    const headers = { "Cache-Control": "public, s-maxage=600", Vary: "Accept-Encoding" };
    return new Response(`page of ${sub}`, { headers });
  }
});

/** The simplest shared cache: it keeps what it is allowed to keep, by address. */
function sharedCache(origin: string) {
  const kept = new Map<string, { text: string; setCookie: string[] }>();
  return async (path: string, cookie: string) => {
    const known = kept.get(path);
    if (known !== undefined) return known;
    const response = await fetch(origin + path, { headers: { cookie }, redirect: "manual" });
    const answer = { text: await response.text(), setCookie: response.headers.getSetCookie() };
    const control = response.headers.get("cache-control") ?? "";
    if (/public|s-maxage/.test(control) && !/no-store|private/.test(control))
      kept.set(path, answer);
    return answer;
  };
}

describe("the tokens of a session", () => {
  test.each(responseTypes)(
    "never reach the browser in a body, a header or an address, with response type %s [STD-091, ASVS-14.2.1]",
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
      // The one exception: the ID token as a hint in the address of the provider's end-session endpoint.
      const logout = await browser.request("/api/auth/logout");
      for (const token of values.slice(0, -1)) expect(logout.location).not.toContain(token);
    },
  );
});

describe("other sites", () => {
  test.each(["https://evil.example", "null", "http://localhost.evil.example"])(
    "are allowed nothing by CORS, whether they ask or not: %s [STD-095]",
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
