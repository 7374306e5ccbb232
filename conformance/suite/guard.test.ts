import { describe, expect, test } from "vitest";

import { expectPage, navigation, script } from "./expectations.ts";
import { host, sharedWorld } from "./world.ts";

const everyMethod =
  "GET HEAD OPTIONS POST PUT PATCH DELETE TRACE PURGE PROPFIND QUERY BREW get GeT";
const methods = everyMethod.split(" ").filter((each) => !host.failsAt?.methods?.includes(each));

describe(`the guard on ${host.title}`, () => {
  const shared = sharedWorld();

  test.each(["/private?a=1&b=%20", "/private/stream", "/files/a.txt", "/nowhere", "/status/204"])(
    "[AD-009, AD-010] a person without a session is sent from %s to login, with the way back",
    async (target) => {
      const world = shared();
      const response = await world.send({ target, headers: navigation });
      const login = new URL(response.header("location") ?? "", world.baseURL);
      expect([response.status, login.origin, login.pathname]).toEqual([
        302,
        world.baseURL,
        "/api/auth/login",
      ]);
      expect(login.searchParams.get("returnTo")).toBe(target);
      expect(response.header("cache-control")).toBe("private, no-store");
    },
  );

  test.each([
    ["/api/me", navigation],
    ["/api/nowhere", {}],
    ["/api/fail", navigation],
    ["/private", script],
    ["/files/a.txt", script],
    ["/private", { "sec-purpose": "prefetch" }],
    ["/private", { "sec-purpose": "prefetch;prerender", ...navigation }],
    ["/private", { purpose: "prefetch" }],
  ])(
    "[AD-009, AD-014] %s, asked with %j, is answered 401 as JSON and starts no login",
    async (target, headers) => {
      const response = await shared().send({ target, headers });
      expect(response.status).toBe(401);
      expect(JSON.parse(response.body)).toMatchObject({ error: "not_authenticated" });
      expect([response.setCookies, response.header("location")]).toEqual([[], null]);
    },
  );

  test("[AD-014] a prefetch of login starts no login and sets no cookie", async () => {
    const headers = { "sec-purpose": "prefetch" };
    const response = await shared().send({ target: "/api/auth/login", headers });
    expect([response.status, response.setCookies]).toEqual([204, []]);
  });

  test("[AD-009, AD-010] with a session the pages, the API, the files and the error pages come", async () => {
    const world = shared();
    const cookie = await (await world.signedIn()).cookies();
    for (const [target, status, text] of [
      ["/", 200, "Hello Ada Okafor"],
      ["/private", 200, "Private page of Ada Okafor"],
      ["/api/me", 200, '"name":"Ada Okafor"'],
      ["/files/a.txt", 200, "A file for signed-in people."],
      ["/nowhere", 404, "No such page"],
    ] as const) {
      const response = await world.send({ target, headers: { cookie } });
      expect([target, response.status]).toEqual([target, status]);
      expect(response.body).toContain(text);
    }
    const stranger = await world.send({ target: "/" });
    expectPage({ status: stranger.status, text: stranger.body }, "Hello stranger");
  });

  const targets = `/api/auth/login /api/auth/callback /api/auth/logout /api/auth/me
    /api/auth/backchannel-logout /api/auth/nothing /_auth/session.json /_auth/signed-out /
    /private /api/me /files/a.txt`;

  test.each(targets.split(/\s+/))("[AD-006] %s answers every method below 500", async (target) => {
    for (const method of methods) {
      const { status } = await shared().send({ method, target });
      expect([method, status, status >= 200 && status < 500]).toEqual([method, status, true]);
    }
  });

  test("[AD-006] no method shows a protected page to a stranger", async () => {
    for (const method of methods) {
      const { body, status } = await shared().send({ method, target: "/private" });
      expect([method, body.includes("Private"), status === 200]).toEqual([method, false, false]);
    }
  });

  const odd = String.raw`//private /\private /private/ /%70rivate /./private /public/../private
    /public/%2e%2e/private /public/..%2fprivate /public/..%5cprivate /public/..\private
    /_auth/..;/private /public//../private //private/public/x /private/public/../x /PRIVATE
    /private;/public/ /private?/public/ /api//me /%61pi/me /api%2fme /public/%252e%252e/private
    http://localhost/private http://evil.example/private /files/..%2ffiles/a.txt /Files/a.txt`;

  test.each(odd.trim().split(/\s+/))(
    "[AD-011] %j leads nobody to a protected page",
    async (target) => {
      const { status, body } = await shared().send({ target, headers: navigation });
      expect([target, /Private page of|A file for/.test(body)]).toEqual([target, false]);
      const isHostsOwn = host.failsAt?.absoluteTargets === true && target.startsWith("http");
      const isHome = status === 200 && body.includes("Hello stranger");
      const isRefused =
        status === 0 || isHome || (status >= 300 && status < (isHostsOwn ? 501 : 500));
      expect([target, status, isRefused]).toEqual([target, status, true]);
    },
  );

  test.each([
    { host: "evil.example" },
    { host: "evil.example:443", "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" },
    { forwarded: "for=127.0.0.1;host=evil.example;proto=https", "x-forwarded-prefix": "/public" },
    { "x-original-url": "/public/x", "x-rewrite-url": "/public/x", "x-forwarded-uri": "/public/x" },
    { "x-http-method-override": "OPTIONS", "x-forwarded-port": "1" },
  ] as Record<string, string>[])(
    "[AD-012] the headers %j change neither guard nor addresses",
    async (headers) => {
      const world = shared();
      const refused = await world.send({ target: "/private", headers });
      const { href } = new URL(refused.header("location") ?? "", world.baseURL);
      expect([refused.status, href]).toEqual([
        302,
        `${world.baseURL}/api/auth/login?returnTo=%2Fprivate`,
      ]);
      const login = await world.send({ target: "/api/auth/login", headers });
      const { searchParams } = new URL(login.header("location") ?? "");
      expect(searchParams.get("redirect_uri")).toBe(`${world.baseURL}/api/auth/callback`);
    },
  );
});
