import { afterAll, describe, expect, test } from "vitest";

import { runCheckedApp } from "./checked-app.support.ts";

const app = await runCheckedApp();
afterAll(() => app.close());

const { ask, signedIn } = app;
const script = { "sec-fetch-mode": "cors" };
const identity = ["latchkey-sub", "latchkey-email", "latchkey-name", "latchkey-groups"];

describe("a signed-in user", () => {
  test("a signed-in user passes with every identity header, and without the session cookie [GW-063]", async () => {
    const cookie = `theme=dark; ${app.cookies}; appSession.0=x; appSessions=1;a = b`;
    const { status, headers } = await ask({ headers: { cookie } });
    expect(status).toBe(200);
    expect(identity.map((name) => headers.get(name))).toEqual([
      "person-ada",
      "ada@example.com",
      "Ada Okafor",
      "",
    ]);
    expect(headers.get("cookie")).toBe("theme=dark; appSessions=1;a = b");
    expect(headers.getSetCookie()).toEqual([]);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("latchkey-access-token")).toBe("");
  });

  test("no cookie of sign-in reaches the application: no pending login, form or logout [GW-030]", async () => {
    const ours = [
      "auth_verification",
      "auth_verification.a1b2",
      "__Host-auth_verification_binding",
      "auth_loop",
      "__Host-auth_loop",
      "auth_form.0",
      "auth_logout",
    ];
    const cookie = ["theme=dark", ...ours.map((name) => `${name}=x`), "auth=1"].join("; ");
    for (const uri of ["/page", "/public"]) {
      const { headers } = await ask({ uri, headers: { cookie: `${cookie}; ${app.cookies}` } });
      expect([uri, headers.get("cookie")]).toEqual([uri, "theme=dark; auth=1"]);
    }
  });

  test("a HEAD question gets the same headers as a GET one [GW-063]", async () => {
    const response = await fetch(`${app.checkURL}/check/haproxy`, {
      method: "HEAD",
      headers: {
        ...signedIn(),
        "x-forwarded-method": "GET",
        "x-forwarded-host": "wiki.localhost",
        "x-forwarded-uri": "/",
      },
    });
    expect([response.status, response.headers.get("latchkey-sub")]).toEqual([200, "person-ada"]);
  });

  test("a signed-in user without a required group gets a 403 page with another account, and back", async () => {
    const response = await ask({ uri: "/admin/users", headers: signedIn() });
    expect(response.status).toBe(403);
    const page = await response.text();
    expect(page).toContain("ada@example.com");
    expect(page).toContain(
      `${app.url}/api/auth/login?returnTo=${encodeURIComponent("http://wiki.localhost/admin/users")}&amp;prompt=select_account`,
    );
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(page).not.toContain('href="/');
  });

  test("a script without a required group gets a 403 as JSON", async () => {
    const headers = signedIn({ accept: "application/json", ...script });
    const response = await ask({ uri: "/admin", headers });
    expect([response.status, await response.json()]).toEqual([
      403,
      expect.objectContaining({ error: "ERR_FORBIDDEN" }),
    ]);
  });

  test("a user with a required group passes", async () => {
    const user = { sub: "ben", groups: ["staff", "admins, all", "admins"] };
    const cookie = await app.signIn({ user });
    const store = await ask({ uri: "/admin", headers: { cookie } });
    expect(store.headers.get("latchkey-groups")).toBe("staff,admins%2C all,admins");
  });

  test("a page that demands a recent sign-in leads to its reason, to login, and back", async () => {
    const response = await ask({ uri: "/money", headers: signedIn() });
    const location = new URL(response.headers.get("location") ?? "");
    expect([response.status, location.pathname]).toEqual([302, "/_auth/step-up"]);
    expect(location.searchParams.get("returnTo")).toBe("http://wiki.localhost/money");
    const reason = await (await fetch(location, { headers: signedIn() })).text();
    expect(reason).toContain("For this page you must have signed in less than");
    location.searchParams.delete("maxAge");
    const login = `${app.url}/api/auth/login${location.search}`;
    expect(reason).toContain(`href="${login.replaceAll("&", "&amp;")}"`);
  });
});

describe("a visitor", () => {
  test("a visitor who opens a page is sent to sign in and back, by an absolute address [GW-062]", async () => {
    const response = await ask();
    expect(response.status).toBe(302);
    expect(response.headers.get("location")).toBe(
      `${app.url}/api/auth/login?returnTo=${encodeURIComponent("http://wiki.localhost/page?a=1")}`,
    );
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test("the login keeps the way back to a host of the check, and drops that to any other host", async () => {
    for (const [host, isKept] of [
      ["wiki.localhost", true],
      ["other.localhost", false],
    ] as const) {
      const returnTo = encodeURIComponent(`http://${host}/page`);
      const home = await (await app.get(`/api/auth/login?returnTo=${returnTo}`)).text();
      expect([host, home.includes(`${host}%2Fpage`)]).toEqual([host, isKept]);
    }
  });

  test.each([
    ["a script", script],
    ["an image", { "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" }],
    ["a prefetch", { "sec-purpose": "prefetch" }],
    ["a WebSocket of a browser", { "sec-fetch-mode": "websocket" }],
    ["a WebSocket of Node", { "sec-websocket-key": "dGhlIHNhbXBsZQ==", "user-agent": "node" }],
  ])(
    "%s without a session gets 401 with a challenge, and starts no sign-in [GW-046]",
    async (_, headers) => {
      const response = await ask({ headers });
      expect([response.status, response.headers.get("location")]).toEqual([401, null]);
      expect(response.headers.get("www-authenticate")).toMatch(/^Cookie/);
      expect(await response.json()).toMatchObject({ error: "not_authenticated" });
    },
  );

  test("a posted form without a session leads back to the page that sent it", async () => {
    const headers = { referer: "http://wiki.localhost/form" };
    const response = await ask({ method: "POST", headers });
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toContain(
      encodeURIComponent("http://wiki.localhost/form"),
    );
  });

  test.each([
    ["/public/file", "wiki.localhost"],
    ["/admin/health", "wiki.localhost"],
    ["/comments", "wiki.localhost"],
    ["/", "open.localhost:8080"],
  ])("a visitor passes to %s of %s with empty identity headers", async (uri, host) => {
    const { status, headers } = await ask({ uri, host });
    expect(status).toBe(200);
    expect([...identity, "cookie"].map((name) => headers.get(name))).toEqual(["", "", "", "", ""]);
  });

  test("a public path names no user, even with a session, and an optional one does [GW-045]", async () => {
    const open = await ask({ uri: "/public", headers: signedIn() });
    const optional = await ask({ uri: "/comments", headers: signedIn() });
    expect([open, optional].map(({ headers }) => headers.get("latchkey-sub"))).toEqual([
      "",
      "person-ada",
    ]);
  });

  test.each([
    "/public/../page",
    "/public/%2e%2e/page",
    "/public/..%2fpage",
    "//public",
    "/public\\..\\page",
    "/PUBLIC",
    "/public;x/../page",
  ])("a path that servers read differently is protected: %s [GW-002]", async (uri) => {
    expect((await ask({ uri })).status).toBe(302);
  });

  test("a path from which nothing can be concluded is refused [GW-002]", async () => {
    const response = await ask({ uri: "/public/%00/page", headers: signedIn() });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: "path_ambiguous", description: "Servers would disagree about this path." },
    ]);
  });

  test("a preflight passes by a rule for its method only, and without an identity [GW-047]", async () => {
    const headers = { origin: "http://a.localhost", "access-control-request-method": "PUT" };
    const passed = await ask({ method: "OPTIONS", uri: "/calls/1", headers });
    expect([passed.status, passed.headers.get("latchkey-sub")]).toEqual([200, ""]);
    expect((await ask({ method: "OPTIONS", uri: "/page", headers })).status).toBe(401);
    expect((await ask({ method: "GET", uri: "/calls/1", headers: script })).status).toBe(401);
  });
});

describe("a bearer token", () => {
  test.each(["Bearer abc", "bearer abc", "DPoP abc"])(
    "a caller with %s gets 401 with a challenge, never a redirect and never its session [AP-056]",
    async (authorization) => {
      for (const proxy of ["caddy", "nginx", "traefik", "haproxy"]) {
        const response = await ask({ proxy, headers: signedIn({ authorization }) });
        const description = "The check accepts no access tokens.";
        expect([proxy, response.status]).toEqual([proxy, 401]);
        expect(response.headers.get("www-authenticate")).toBe(
          `Bearer error="invalid_token", error_description="${description}"`,
        );
        expect(await response.json()).toEqual({ error: "invalid_token", description });
      }
    },
  );

  test.each(["Basic YTpi", "Negotiate bearer"])(
    "%s is of a scheme of others",
    async (authorization) => {
      const response = await ask({ headers: signedIn({ authorization }) });
      expect(response.status).toBe(200);
    },
  );

  test.each(["/public", "/comments"])("%s leaves tokens to the application", async (uri) => {
    const headers = signedIn({ authorization: "Bearer abc" });
    const response = await ask({ uri, headers });
    expect([response.status, response.headers.get("latchkey-sub")]).toEqual([200, ""]);
  });
});

describe("what a proxy sends", () => {
  const noHost = "The forwarded host is not one host.";
  const noPath = "The forwarded address is no path with a query.";
  const noMethod = "The forwarded method is no method of HTTP.";

  test.each(["x-forwarded-method", "x-forwarded-host", "x-forwarded-uri"])(
    "a question without %s is refused, with the remedy [GW-060]",
    async (missing) => {
      const all: Record<string, string> = {
        "x-forwarded-method": "GET",
        "x-forwarded-host": "wiki.localhost",
        "x-forwarded-uri": "/",
      };
      const headers = Object.entries(all).filter(([name]) => name !== missing);
      const response = await fetch(`${app.checkURL}/check/traefik`, { headers: headers as [] });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        error: "question_malformed",
        description: expect.stringMatching(/^The proxy sent no X-Forwarded-/) as string,
      });
    },
  );

  test.each([
    ["two hosts in one line", { "x-forwarded-host": "wiki.localhost, evil.example" }, noHost],
    ["a host with user info", { "x-forwarded-host": "ada@wiki.localhost" }, noHost],
    ["an address with a fragment", { "x-forwarded-uri": "/a#b" }, noPath],
    ["an absolute address", { "x-forwarded-uri": "http://evil.example/" }, noPath],
    ["a method in small letters", { "x-forwarded-method": "get" }, noMethod],
    ["two methods", { "x-forwarded-method": "GET, POST" }, noMethod],
  ])("a question with %s is refused [GW-060]", async (_, headers, description) => {
    const response = await ask({ headers });
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: "question_malformed", description },
    ]);
  });

  test("an unknown host is refused, and named", async () => {
    const response = await ask({ host: "evil.example", headers: signedIn() });
    expect([response.status, await response.json()]).toMatchObject([
      403,
      { error: "host_unknown", description: "The check has no rules for the host evil.example." },
    ]);
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  test("a host counts in any case of letters, and with its port", async () => {
    expect((await ask({ host: "WIKI.localhost", headers: signedIn() })).status).toBe(200);
    expect((await ask({ host: "open.localhost" })).status).toBe(403);
  });

  test.each(["Latchkey_Sub", "latchkey.sub", "LATCHKEY_ACCESS_TOKEN", "Latchkey~Groups"])(
    "a request with %s is refused, since applications may read it as an identity header [AP-055]",
    async (name) => {
      const response = await ask({ uri: "/public", headers: { [name]: "ada" } });
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { error: "header_refused", description: expect.stringContaining(name) as string },
      ]);
    },
  );

  test("an identity header of the client has no effect on those of the answer", async () => {
    const response = await ask({ headers: signedIn({ "latchkey-sub": "root" }) });
    expect(response.headers.get("latchkey-sub")).toBe("person-ada");
  });

  test.each(["/check", "/check/apache", "/check/caddy/response", "/check/nginx/other", "/"])(
    "%s is no address of the check, and says which are",
    async (path) => {
      const response = await fetch(app.checkURL + path);
      expect([response.status, await response.text()]).toEqual([
        404,
        expect.stringMatching(/"not_found".*\/check\/nginx, \/check\/traefik/),
      ]);
    },
  );

  test("the check is not on the port of the app, which browsers reach", async () => {
    const response = await app.get("/check/caddy", { "x-forwarded-host": "wiki.localhost" });
    expect(response.headers.get("latchkey-sub")).toBeNull();
    expect(response.status).toBe(302);
  });
});
