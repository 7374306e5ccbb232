import { describe, expect, test } from "vitest";

import { handleRequest } from "../../../test/handle-request.ts";
import { goodSettings } from "../../../test/settings.ts";
import { words } from "../../../test/words.ts";
import { type Auth, createAuth, type Options } from "../../host/auth.ts";
import type { LogEvent } from "../../telemetry/log-event.ts";
import type { HostRequest } from "../../http/auth-request.ts";
import { parseTarget } from "../../http/request-target.ts";
import { safeReturnTo } from "../../http/return-to.ts";
import { signedInCookies } from "../../testing/index.ts";
import { isPublic } from "./guarded-paths.ts";

const own = "https://app.example";

function authWith(options: Partial<Options>): Auth {
  return createAuth({ ...goodSettings, log: () => undefined, ...options });
}

const auth = authWith({ publicPaths: ["/about", "/assets/", "/"] });

function needsNoSession(target: string, { config }: Auth = auth): boolean {
  const parsed = parseTarget(target);
  return parsed !== null && isPublic(config, parsed);
}

interface Asked {
  readonly method?: string;
  readonly headers?: Record<string, string>;
}

/** A request with a target as it comes from a socket, not normalized. */
function hostRequest(target: string, { method = "GET", headers = {} }: Asked): HostRequest {
  const url = own + (target.startsWith("/") ? target : "/");
  return { method, target, url, headers: new Headers(headers), body: () => Promise.resolve(null) };
}

/** What becomes of a request: `passed`, or status and destination. */
async function decision(target: string, asked: Asked = {}, at: Auth = auth): Promise<string> {
  const received = await at.host.receive({}, () => hostRequest(target, asked));
  if ("admitted" in received) return "passed";
  const { status, headers } = received.response;
  const [, location] = headers.find(([name]) => name === "Location") ?? [];
  return location === undefined ? `${status}` : `${status} ${location.slice(own.length)}`;
}

/** The destination of a request after login. */
async function returnToOf(target: string): Promise<string> {
  const [, query = ""] = (await decision(target)).split("?");
  return new URLSearchParams(query).get("returnTo") ?? "";
}

const toLogin = (path: string) => `302 /api/auth/login?returnTo=${encodeURIComponent(path)}`;

describe("public paths", () => {
  test.each([
    ...words`
      /api/auth/login /api/auth/callback?code=x /api/auth/anything/else /api/auth
      /_auth/signed-out /_auth /_next/static/app.js /_next/image?url=x /favicon.ico /about
      /about?x=1 /assets/logo.svg /assets/ /assets/icons/ / /?x=1 /?x=/../private
    `,
    `/_next/%${"25".repeat(10)}2e`,
  ])("%s needs no session", (target) => {
    expect(needsNoSession(target)).toBe(true);
  });

  test.each(["/about?x=1", "/assets/logo.svg", "/", "/_next/static/app.js"])(
    "%s reaches the app without a session",
    async (target) => {
      expect(await decision(target)).toBe("passed");
    },
  );
});

describe("paths that look public and need a session", () => {
  test.each(words`
    /_nextfoo /_NEXT/x /favicon.icox /favicon.ico/x /favicon.ico.html /_authx /aboutx /about/us
    /about/ /About /assets /assets/. /assets/x/.. /assetsx /apix /private /about;x /about%3bx
    /about%3fx /about%23x
  `)("%s is sent to login and back", async (target) => {
    expect(needsNoSession(target)).toBe(false);
    expect(await decision(target)).toBe(toLogin(target));
  });

  test.each(words`
    //private //about //evil.example /\\evil.example /\\about /.//evil.example /%2f/evil.example
    /_next/..%2fprivate /_next/%2e%2e%2fprivate /_next/..%5cprivate /_next/..\\private
    /_next/../private /_next/./../private /_next/.%2e/private /_next//../../private
    /_next/..;/private /_next/..;\\x/private /_next/..;x=1/private /admin/%2e%2e/_next/x
    /admin/../_next/x /assets/..%2f..%2fprivate /_next/..%252fprivate
    /_next/%25252e%25252e%25252fprivate /favicon.ico%2f..%2fprivate /%2f_next/../private
    /%5f%6eext/x /_auth/../private /_next%5c..%5cprivate /private;/api/auth/login
  `)(
    "%s is sent to login, and lands where it wanted to go, on our origin [ATK-053, ATK-119]",
    async (target) => {
      expect(needsNoSession(target)).toBe(false);
      expect(await decision(target)).toMatch(/^302 \/api\/auth\/login\?returnTo=/);
      const rules = { baseURL: own, authPath: "/api/auth" };
      const back = safeReturnTo(await returnToOf(target), rules);
      expect(back).toBe(new URL(own + target.replaceAll("\\", "%5C")).href);
    },
  );

  test.each([
    `/_next/%${"25".repeat(200)}2e`,
    "/_next/.%09./private",
    "/_next/..%00",
    "/_next/x%250a",
    "/about%00",
  ])("%s, of which nothing can be concluded, is sent to login, then home", async (target) => {
    expect(needsNoSession(target)).toBe(false);
    expect(await decision(target)).toMatch(/^302 \/api\/auth\/login/);
    const back = safeReturnTo(await returnToOf(target), { baseURL: own, authPath: "/api/auth" });
    expect(back).toBeNull();
  });

  test.each([`${own}/_next/x`, `${own}/about`, "http://other.example/favicon.ico", own])(
    "the absolute target %s is never public, because naive servers read it as a path",
    async (target) => {
      expect(needsNoSession(target)).toBe(false);
      expect(await decision(target)).toMatch(/^302 \/api\/auth\/login/);
    },
  );

  test.each(["*", "app.example:443", "about", "/about#x", "/a b", "/about\t"])(
    "the target %j cannot be read, and is 400",
    async (target) => {
      expect(await decision(target)).toBe("400");
    },
  );
});

describe("paths of the API", () => {
  test.each(words`
    /api /api/ /api/orders /api/orders?x=/api/auth/login /api/authx/login /api/auth%2f..%2forders
    /api//orders /api/orders%00 /%61pi/orders /api%2fauth/login //api/auth/login
    /_next/..%2fapi%2forders /api/data/../../favicon.ico
  `)("%s is 401", async (target) => {
    expect(await decision(target)).toBe("401");
  });

  test.each(["/api/auth/../orders", "/api/auth/..%2forders", "/api/auth/../../private"])(
    "%s, which begins with the prefix of the auth routes, never reaches the app",
    async (target) => {
      expect(await decision(target)).toBe("404");
    },
  );

  test("the response says so in uncached JSON, and its challenge starts no OAuth [AP-025]", async () => {
    const { response } = await handleRequest(auth, new Request(`${own}/api/orders`), () => null);
    expect(await response.json()).toEqual({
      error: "not_authenticated",
      description: "The user does not have an active session or is not authenticated",
    });
    expect(response.headers.get("www-authenticate")).toBe(`Cookie realm="${own}"`);
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    expect(response.headers.get("vary")).toBe("Cookie");
  });
});

describe("a page without a session", () => {
  test("login is given path and query for the way back, and nothing else", async () => {
    expect(await decision("/a?x=1&access_token=at&id_token=it")).toBe(toLogin("/a?x=1"));
    expect(await decision("/a?x=1&y=2&returnTo=https://evil.example")).toBe(
      "302 /api/auth/login?returnTo=%2Fa%3Fx%3D1%26y%3D2%26returnTo%3Dhttps%3A%2F%2Fevil.example",
    );
  });

  test.each([
    ["GET", 302],
    ["HEAD", 302],
    ["POST", 303],
    ["PUT", 303],
    ["DELETE", 303],
    ["OPTIONS", 303],
    ["PROPFIND", 303],
  ])("%s is redirected by %i", async (method, status) => {
    expect(await decision("/private", { method })).toMatch(`${status} /api/auth/login`);
  });

  test.each([
    ["POST", `${own}/shop/cart?step=2`, "/shop/cart?step=2"],
    ["GET", `${own}/shop/cart`, "/shop/send"],
    ["POST", `${own}/elsewhere`, "/shop/send"],
    ["POST", "https://evil.example/shop/cart", "/shop/send"],
    ["POST", undefined, "/shop/send"],
  ])("a %s that comes from %s leads back to %s", async (method, referer, page) => {
    const at = authWith({ baseURL: `${own}/shop` });
    const headers: Record<string, string> = referer === undefined ? {} : { referer };
    const location = await decision("/shop/send", { method, headers }, at);
    expect(new URL(location.slice(4), own).searchParams.get("returnTo")).toBe(page);
  });

  test.each<Record<string, string>>([
    { "sec-fetch-mode": "cors" },
    { "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" },
    { "sec-fetch-mode": "same-origin" },
    { "sec-purpose": "prefetch" },
    { purpose: "prefetch" },
    { "next-router-prefetch": "1" },
  ])("a script or a prefetch, with %j, is answered 401", async (headers) => {
    expect(await decision("/private", { headers })).toBe("401");
  });

  test.each<Record<string, string>>([
    {},
    { "sec-fetch-mode": "navigate" },
    { "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" },
    { "sec-fetch-mode": "cors", "user-agent": "node" },
  ])("a navigation, with %j, is redirected", async (headers) => {
    expect(await decision("/private", { headers })).toBe(toLogin("/private"));
  });

  test.each<Record<string, string>>([
    { "x-middleware-subrequest": "middleware:middleware:middleware:middleware:middleware" },
    { "x-middleware-rewrite": "/_next/x", "x-middleware-next": "1", "x-middleware-prefetch": "1" },
    { "x-forwarded-uri": "/api/auth/login", "x-forwarded-prefix": "/_next" },
    { "x-original-url": "/about", "x-rewrite-url": "/_next/x" },
    { "x-http-method-override": "OPTIONS", "x-method-override": "HEAD" },
    { "x-forwarded-for": "127.0.0.1", "x-real-ip": "127.0.0.1", "x-client-ip": "::1" },
    { "user-agent": "kube-probe/1.29" },
    { "user-agent": "GoogleHC/1.0" },
    { "x-user": "admin", "x-auth-request-user": "admin", "x-forwarded-user": "admin" },
    { "x-latchkey-session": "1", "x-user-id": "1", x_user: "1" },
    { authorization: "Bearer a.b.c" },
    { origin: "null" },
    { range: "bytes=0-10", "if-none-match": '"x"', "if-modified-since": new Date(0).toUTCString() },
    { rsc: "1", "next-router-state-tree": "x", "x-nextjs-data": "1" },
    { upgrade: "websocket", connection: "upgrade" },
  ])(
    "no header lets a request pass: %j [CVE-2025-29927] [ATK-041, ATK-043, ATK-047]",
    async (headers) => {
      expect(await decision("/private", { headers })).toBe(toLogin("/private"));
    },
  );
});

describe("a request with a session", () => {
  const session = { user: { sub: "ada" } };
  const cookieOf = (options: Options = goodSettings) =>
    signedInCookies({ options: { ...options, log: () => undefined }, session });

  test.each(["/private", "/api/orders", "//x"])(
    "%s reaches the app, and its response carries the session's headers",
    async (path) => {
      const request = new Request(own + path, { headers: { cookie: await cookieOf() } });
      const { made, response } = await handleRequest(auth, request, ({ user }) => user?.sub);
      expect(made).toBe("ada");
      expect(response.headers.get("cache-control")).toBe("private, no-store");
      expect(response.headers.get("vary")).toBe("Cookie");
      expect(response.headers.getSetCookie()).toHaveLength(1);
    },
  );

  test("a public page without the session may be kept by any cache", async () => {
    const request = new Request(`${own}/about`, { headers: { cookie: await cookieOf() } });
    const { response } = await handleRequest(auth, request, () => "page");
    expect([...response.headers.keys()]).toEqual(["content-type"]);
  });

  test("a public page with the session is kept by no shared cache", async () => {
    const request = new Request(`${own}/about`, { headers: { cookie: await cookieOf() } });
    const { made, response } = await handleRequest(auth, request, ({ user }) => user?.sub);
    expect(made).toBe("ada");
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    expect(response.headers.getSetCookie()).toHaveLength(1);
  });

  test.each(["/private", "/api/orders"])(
    "%s is refused with a session that cannot be read, and the cookie is cleared",
    async (path) => {
      const request = new Request(own + path, { headers: { cookie: "appSession=x" } });
      const { made, response } = await handleRequest(auth, request, () => "reached");
      expect(made).toBeUndefined();
      expect(response.headers.getSetCookie()).toEqual([
        expect.stringMatching(/^appSession=; .*1970/),
      ]);
    },
  );

  test.each([
    [{ secret: "another-secret-0123456789abcdef-0123" }, "unknown-key"],
    [{ issuerBaseURL: "https://other.example" }, "warning"],
    [{ clientID: "other" }, "warning"],
  ])(
    "a session of another app, with %j, opens nothing, is left alone, and is logged once as %s [OP-080]",
    async (other, told) => {
      const events: LogEvent[] = [];
      const cookie = await cookieOf({ ...goodSettings, ...other });
      const at = authWith({ log: (event) => events.push(event) });
      for (let count = 0; count < 3; count += 1) {
        const request = new Request(`${own}/private`, { headers: { cookie } });
        const { response } = await handleRequest(at, request, () => "reached");
        expect([response.status, response.headers.getSetCookie()]).toEqual([302, []]);
      }
      expect(events.filter(isOfForeignCookies).map(({ event }) => event)).toEqual([told]);
    },
  );

  test("sessions of keys that a client invents are logged as one", async () => {
    const events: LogEvent[] = [];
    const at = authWith({ log: (event) => events.push(event) });
    for (const n of [1, 2, 3]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const cookie = await cookieOf({
        ...goodSettings,
        secret: `another-${n}-0123456789abcdef0123456`,
      });
      const request = new Request(`${own}/private`, { headers: { cookie } });
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await handleRequest(at, request, () => "reached");
    }
    expect(events.filter(isOfForeignCookies)).toHaveLength(1);
  });
});

describe("other settings", () => {
  test("moved routes are public at their new place, and only there", async () => {
    const other = authWith({
      routes: { prefix: "/auth", login: "/sign-in", callback: "/back" },
      pagesPrefix: "/~",
    });
    for (const path of ["/auth/me", "/sign-in", "/back?code=x", "/~/signed-out"]) {
      expect(needsNoSession(path, other)).toBe(true);
    }
    for (const path of ["/sign-in/x", "/backx", "/_auth/x", "/"]) {
      expect(await decision(path, {}, other)).toBe(
        `302 /sign-in?returnTo=${encodeURIComponent(path)}`,
      );
    }
    expect(await decision("/api/auth/login", {}, other)).toBe("401");
  });

  test.each(["/shop", ""])(
    "a base path is judged the same whether or not a proxy takes it away: %j",
    async (prefix) => {
      const shop = authWith({ baseURL: `${own}/shop`, publicPaths: ["/about"] });
      for (const path of ["/api/auth/me", "/_next/x", "/about", "/favicon.ico"]) {
        expect(needsNoSession(prefix + path, shop)).toBe(true);
      }
      expect(await decision(`${prefix}/api/orders`, {}, shop)).toBe("401");
      expect(await decision(`${prefix}/cart?x=1`, {}, shop)).toBe(
        `302 /shop/api/auth/login?returnTo=${encodeURIComponent("/shop/cart?x=1")}`,
      );
    },
  );
});

function isOfForeignCookies(event: LogEvent): boolean {
  const isNamed = event.event === "warning" && event.message.includes("another issuer");
  return isNamed || (event.event === "unknown-key" && event.keyId?.length === 8);
}
