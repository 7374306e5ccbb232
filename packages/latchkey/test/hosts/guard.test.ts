import { describe, expect, test } from "vitest";

import { hosts } from "./world/hosts.ts";
import { worldOfDescribe, worldOfTest } from "./world/host-world.ts";

const methods =
  "GET HEAD OPTIONS POST PUT PATCH DELETE TRACE CONNECT PURGE PROPFIND QUERY BREW get GeT".split(
    " ",
  );
const navigation = {
  accept: "text/html",
  "sec-fetch-mode": "navigate",
  "sec-fetch-dest": "document",
};
const script = { accept: "*/*", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" };

describe.each(hosts)("the guard on $name", (host) => {
  const shared = worldOfDescribe({ app: host.app });

  test.each([
    "/private?a=1&b=%20",
    "/private/stream",
    "/files/a.txt",
    "/nowhere",
    "/status/204",
    "/api-docs",
    "/favicon.icon",
  ])(
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
    ["/api/me", { connection: "close, upgrade", upgrade: "websocket" }],
  ])(
    "[AD-009, AD-014] %s, asked with %j, is answered 401 as JSON and starts no login",
    async (target, headers) => {
      const world = shared();
      const response = await world.send({ target, headers });
      expect(response.status).toBe(401);
      expect(JSON.parse(response.body)).toMatchObject({ error: "not_authenticated" });
      expect([response.setCookies, response.header("location")]).toEqual([[], null]);
    },
  );

  test("[AD-014] a prefetch of login starts no login and sets no cookie", async () => {
    const world = shared();
    const headers = { "sec-purpose": "prefetch" };
    const response = await world.send({ target: "/api/auth/login", headers });
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
    expect((await world.send({ target: "/" })).body).toBe("Hello stranger");
  });

  const targets = `/api/auth/login /api/auth/callback /api/auth/logout /api/auth/me
    /api/auth/backchannel-logout /api/auth/nothing /_auth/session.json /_auth/signed-out /
    /private /api/me /files/a.txt`;

  test.each(targets.split(/\s+/))("[AD-006] %s answers every method below 500", async (target) => {
    const world = shared();
    for (const method of methods) {
      const { status } = await world.send({ method, target });
      // Node itself closes the connection of a CONNECT that nobody listens for.
      const isFine = (status >= 200 && status < 500) || (method === "CONNECT" && status === 0);
      expect([method, status, isFine]).toEqual([method, status, true]);
    }
  });

  test("[AD-006] no method but those that only read shows a protected page to a stranger", async () => {
    const world = shared();
    for (const method of methods) {
      const { body, status } = await world.send({ method, target: "/private" });
      expect([method, body.includes("Private"), status === 200]).toEqual([method, false, false]);
    }
  });
});

describe.each(hosts)("the host that a client names to $name", (host) => {
  const shared = worldOfDescribe({ app: host.app, options: { production: true } });

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
      expect([refused.status, refused.header("location")]).toEqual([
        302,
        `${world.baseURL}/api/auth/login?returnTo=%2Fprivate`,
      ]);
      const login = await world.send({ target: "/api/auth/login", headers });
      const { searchParams } = new URL(login.header("location") ?? "");
      expect(searchParams.get("redirect_uri")).toBe(`${world.baseURL}/api/auth/callback`);
    },
  );

  test("[AD-012] sends a login in development to the base URL first, where the cookies will be", async () => {
    const world = await worldOfTest({ app: host.app });
    const target = "/api/auth/login?returnTo=%2Fprivate";
    const response = await world.send({ target, headers: { host: "127.0.0.1:1" } });
    const { origin, pathname, searchParams } = new URL(response.header("location") ?? "");
    expect([response.status, origin, pathname, searchParams.get("returnTo")]).toEqual([
      302,
      world.baseURL,
      "/api/auth/login",
      "/private",
    ]);
    expect(response.setCookies).toEqual([]);
  });
});

describe.each(hosts)("odd headers on $name", (host) => {
  const shared = worldOfDescribe({ app: host.app });
  const odd: readonly Record<string, string>[] = [
    { cookie: "=; ;;; appSession; appSession.0=; appSession.1=x; __proto__=1; constructor=2" },
    { cookie: `appSession=${"a.".repeat(4000)}` },
    { cookie: "appSession=eyJhbGciOiJub25lIn0.e30.; auth_verification=%00%ff" },
    { cookie: "appSession=\u00e9\u00ff\u0080" },
    { accept: "*/*;q=x, text/html;q=-1, ;;;,,,", "accept-language": "-;q=,*" },
    { accept: "text/html;".repeat(500) },
    { "sec-fetch-mode": "", "sec-fetch-site": "?", "sec-purpose": "%00" },
    { "content-type": "application/x-www-form-urlencoded;;;charset=\u00e9", "content-length": "0" },
    { authorization: "Bearer ", origin: "null", referer: "javascript:alert(1)" },
    { "x-forwarded-for": "' or 1=1", "user-agent": "\u00ff".repeat(2000) },
  ];

  test.each(odd)("[AD-006] %j open nothing and are answered below 500", async (headers) => {
    const world = shared();
    for (const target of ["/private", "/api/me", "/api/auth/me", "/api/auth/login", "/"]) {
      const { status, body } = await world.send({ target, headers });
      expect([target, status < 500, body.includes("Private page")]).toEqual([target, true, false]);
    }
  });
});

describe.each(hosts)("what stands behind the guard on $name", (host) => {
  test("[AD-006, AD-011] is never called for a request that was refused", async () => {
    const called: string[] = [];
    const page = (target: string) => {
      called.push(target);
      return "called";
    };
    const world = await worldOfTest({ app: (auth) => host.catchAll([auth], page) });
    for (const method of methods) {
      for (const target of ["/private", "//private", "http://[/", "/%", "*", "/api/auth/login"]) {
        await world.send({ method, target });
      }
    }
    expect(called).toEqual([]);
    await world.signedIn();
    expect(called).toEqual([expect.stringMatching(/\/private$/)]);
  });
});
