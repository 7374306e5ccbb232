import { describe, expect, test } from "vitest";

import { goodSettings } from "../../test/settings.ts";
import { type Auth, createAuth, type Options } from "../auth.ts";
import { signedInCookies } from "../testing/index.ts";

const own = "https://app.example";

function authWith(options: Partial<Options> = {}): Auth {
  return createAuth({ ...goodSettings, ...options });
}

const auth = authWith({ publicPaths: ["/about", "/assets/", "/"] });

/** What the guard answers: `passed`, or status and destination. */
async function decision(path: string, init: RequestInit = {}, at: Auth = auth): Promise<string> {
  const guarded = await at.guard(new Request(own + path, init));
  if (guarded.passed) return "passed";
  const { status, headers } = guarded.response;
  return status === 401 ? "401" : `${status} ${headers.get("location")?.slice(own.length) ?? ""}`;
}

const toLogin = (path: string) => `302 /api/auth/login?returnTo=${encodeURIComponent(path)}`;

describe("paths that need no session", () => {
  test.each([
    "/api/auth/login",
    "/api/auth/callback?code=x",
    "/api/auth/logout",
    "/api/auth/me",
    "/api/auth/backchannel-logout",
    "/api/auth/anything/else",
    "/api/auth",
    "/_auth/signed-out",
    "/_auth/session.json",
    "/_auth",
    "/_next/static/app.js",
    "/_next/image?url=x",
    "/favicon.ico",
    "/about",
    "/about?x=1",
    "/assets/logo.svg",
    "/assets/",
    "/assets/icons/",
    "/",
    "/?x=1",
  ])("%s passes", async (path) => {
    expect(await decision(path)).toBe("passed");
  });
});

describe("paths that look like them and need one [ATK-119, CONF-20]", () => {
  test.each([
    "/_nextfoo",
    "/_NEXT/x",
    "/favicon.icox",
    "/favicon.ico/x",
    "/favicon.ico.html",
    "/_authx",
    "/aboutx",
    "/about/us",
    "/about/",
    "/About",
    "/assets",
    "/assetsx",
    "/apix",
    "/private",
    "//private",
    "/_next/..%2fprivate",
    "/_next/%2e%2e%2fprivate",
    "/_next/..%5cprivate",
    "/assets/..%2f..%2fprivate",
    "/_next/..%252fprivate",
    "/_next/%25252e%25252e%25252fprivate",
    "/favicon.ico%2f..%2fprivate",
    "/about;x",
    "/about%00",
    "/%2f_next/../private",
    `/_next/%${"25".repeat(10)}2e`,
  ])("%s redirects to login", async (path) => {
    const { pathname, search } = new URL(own + path);
    expect(await decision(path)).toBe(toLogin(pathname + search));
  });

  test.each(["/api/auth/../orders", "/_next/../private"])(
    "%s is what the browser makes of it",
    async (path) => {
      const { pathname } = new URL(own + path);
      expect(await decision(path)).toBe(pathname.startsWith("/api") ? "401" : toLogin(pathname));
    },
  );
});

describe("paths of the API", () => {
  test.each([
    "/api",
    "/api/",
    "/api/orders",
    "/api/orders?x=/api/auth/login",
    "/api/authx/login",
    "/api/auth%2f..%2forders",
    "/api//orders",
    "/%61pi/orders",
    "/api/auth/..%2forders",
    "/_next/..%2fapi%2forders",
  ])("%s is 401", async (path) => {
    expect(await decision(path)).toBe("401");
  });

  test("are told so in JSON that no cache keeps", async () => {
    const guarded = await auth.guard(new Request(`${own}/api/orders`));
    const response = guarded.passed ? null : guarded.response;
    expect(await response?.json()).toEqual({
      error: "not_authenticated",
      description: "The user does not have an active session or is not authenticated",
    });
    expect(response?.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(response?.headers.get("cache-control")).toMatch(/no-store/);
    expect(response?.headers.get("vary")).toBe("Cookie");
  });
});

describe("a page without session", () => {
  test("keeps path and query for the way back, encoded, nothing added", async () => {
    expect(await decision("/a?x=1&y=2&returnTo=https://evil.example")).toBe(
      "302 /api/auth/login?returnTo=%2Fa%3Fx%3D1%26y%3D2%26returnTo%3Dhttps%3A%2F%2Fevil.example",
    );
  });

  test("redirects to the base URL, whatever host the request names [STD-052]", async () => {
    const request = new Request("https://evil.example/private", {
      headers: { "x-forwarded-host": "evil.example" },
    });
    const guarded = await auth.guard(request);
    expect(guarded.passed ? "" : guarded.response.headers.get("location")).toBe(
      `${own}${toLogin("/private").slice(4)}`,
    );
  });

  test.each([
    ["GET", 302],
    ["HEAD", 302],
    ["POST", 303],
    ["PUT", 303],
    ["DELETE", 303],
    ["OPTIONS", 303],
  ])("asked for by %s is answered %i", async (method, status) => {
    const guarded = await auth.guard(new Request(`${own}/private`, { method }));
    expect(guarded.passed ? 0 : guarded.response.status).toBe(status);
  });

  test("is not kept by a cache [STD-145]", async () => {
    const guarded = await auth.guard(new Request(`${own}/private`));
    const headers = guarded.passed ? new Headers() : guarded.response.headers;
    expect(headers.get("cache-control")).toMatch(/no-store/);
    expect(headers.get("vary")).toBe("Cookie");
  });

  test.each([
    { "sec-fetch-mode": "cors" },
    { "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" },
    { "sec-fetch-mode": "same-origin" },
    { "sec-purpose": "prefetch" },
    { purpose: "prefetch" },
    { "next-router-prefetch": "1" },
  ] as Record<string, string>[])(
    "asked for by a script or ahead of time is 401: %j",
    async (headers) => {
      expect(await decision("/private", { headers })).toBe("401");
    },
  );

  test.each([
    {},
    { "sec-fetch-mode": "navigate" },
    { "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" },
    { "sec-fetch-mode": "cors", "user-agent": "node" },
  ] as Record<string, string>[])("asked for by a person redirects: %j", async (headers) => {
    expect(await decision("/private", { headers })).toBe(toLogin("/private"));
  });
});

describe("a header cannot talk the guard out of it [CVE-2025-29927]", () => {
  test.each([
    { "x-middleware-subrequest": "middleware:middleware:middleware:middleware:middleware" },
    { "x-original-url": "/about" },
    { "x-rewrite-url": "/_next/x" },
    { "x-forwarded-prefix": "/_next" },
    { "x-http-method-override": "OPTIONS" },
    { authorization: "Bearer x" },
  ] as Record<string, string>[])("%j", async (headers) => {
    expect(await decision("/private", { headers })).toBe(toLogin("/private"));
  });
});

describe("with a session", () => {
  const session = { user: { sub: "ada" } };

  test("everything passes, and the answer's headers come with it", async () => {
    const cookie = await signedInCookies({ options: goodSettings, session });
    for (const path of ["/private", "/api/orders", "//x"]) {
      const guarded = await auth.guard(new Request(own + path, { headers: { cookie } }));
      expect(guarded.passed).toBe(true);
      const visit = guarded.passed ? guarded.visit : undefined;
      expect(visit?.session?.user.sub).toBe("ada");
      expect(visit?.headers.map(([name]) => name)).toEqual(["Cache-Control", "Vary", "Set-Cookie"]);
    }
  });

  test("a public path is passed without looking at it", async () => {
    const cookie = await signedInCookies({ options: goodSettings, session });
    const request = new Request(`${own}/about`, { headers: { cookie } });
    expect(await auth.guard(request)).toEqual({ passed: true });
    expect(auth.hasVisited(request)).toBe(false);
  });

  test("that cannot be read nothing passes, and the cookie is cleared", async () => {
    for (const path of ["/private", "/api/orders"]) {
      const request = new Request(own + path, { headers: { cookie: "appSession=x" } });
      const guarded = await auth.guard(request);
      const headers = guarded.passed ? new Headers() : guarded.response.headers;
      expect(headers.getSetCookie()).toEqual([expect.stringMatching(/^appSession=; .*1970/)]);
    }
  });

  test("of another secret, issuer or client nothing passes", async () => {
    for (const other of [
      { secret: "another-secret-0123456789abcdef-0123" },
      { issuerBaseURL: "https://other.example" },
      { clientID: "other" },
    ]) {
      const options = { ...goodSettings, ...other };
      const cookie = await signedInCookies({ options, session });
      expect(await decision("/private", { headers: { cookie } })).toBe(toLogin("/private"));
    }
  });
});

describe("other settings", () => {
  test("routes elsewhere are exempt where they are", async () => {
    const other = authWith({
      routes: { prefix: "/auth", login: "/sign-in", callback: "/back" },
      pagesPrefix: "/~",
    });
    for (const path of ["/auth/me", "/sign-in", "/back?code=x", "/~/signed-out"]) {
      expect(await decision(path, {}, other)).toBe("passed");
    }
    for (const path of ["/sign-in/x", "/backx", "/_auth/x", "/"]) {
      expect(await decision(path, {}, other)).toBe(
        `302 /sign-in?returnTo=${encodeURIComponent(path)}`,
      );
    }
    expect(await decision("/api/auth/login", {}, other)).toBe("401");
  });

  test("a base path counts as little as a proxy that takes it away", async () => {
    const shop = authWith({ baseURL: `${own}/shop`, publicPaths: ["/about"] });
    for (const prefix of ["/shop", ""]) {
      for (const path of ["/api/auth/me", "/_next/x", "/about", "/favicon.ico"]) {
        expect(await decision(prefix + path, {}, shop)).toBe("passed");
      }
      expect(await decision(`${prefix}/api/orders`, {}, shop)).toBe("401");
      expect(await decision(`${prefix}/cart?x=1`, {}, shop)).toBe(
        `302 /shop/api/auth/login?returnTo=${encodeURIComponent("/shop/cart?x=1")}`,
      );
    }
  });
});
