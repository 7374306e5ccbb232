import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { rawBytes } from "../../../../packages/latchkey/test/browser/raw-bytes.ts";
import { type RunningApp, runApp } from "./running-app.support.ts";

let app: RunningApp;

beforeAll(async () => {
  app = await runApp();
});

afterAll(() => app.close());

const isSigned = (): { cookie: string } => ({ cookie: app.cookies });

describe("every response carries the security headers", () => {
  const responses: readonly [status: number, path: string, headers?: Record<string, string>][] = [
    [200, "/"],
    [200, "/_auth/signed-out"],
    [200, "/_auth/session.json"],
    [200, "/assets/live-test.js"],
    [304, "/assets/live-test.js", { "if-none-match": "*" }],
    [302, "/account"],
    [401, "/api/sample"],
    [400, "/api/auth/callback"],
    [404, "/api/auth/nothing"],
    [404, "/_auth/nothing"],
    [500, "/api/auth/login"],
  ];

  test.each(responses)("the response %i to %s carries them", async (status, path, headers) => {
    const response = await app.get(path, headers);
    expect(response.status).toBe(status);
    expectSecurity(Object.fromEntries(response.headers));
  });

  test("the response to what is not HTTP carries them", async () => {
    const response = await rawBytes(app.url, "NONSENSE\r\n\r\n");
    expect(response).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expectSecurity(headersIn(response));
  });

  test("the response to cookies beyond measure carries them", async () => {
    const response = await rawBytes(
      app.url,
      `GET / HTTP/1.1\r\nHost: x\r\nCookie: a=${"b".repeat(70_000)}\r\n\r\n`,
    );
    expect(response).toMatch(/^HTTP\/1\.1 431 /);
    expectSecurity(headersIn(response));
  });

  test("the response to a request without a host carries them", async () => {
    const response = await rawBytes(app.url, "GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
    expect(response).toMatch(/^HTTP\/1\.1 400 /);
    expectSecurity(headersIn(response));
  });
});

test("a rule for every page does not close the page that explains it", async () => {
  const rules = JSON.stringify({ "/": { acr: "mfa" } });
  const strict = await runApp({ LATCHKEY_ACCESS_RULES: rules });
  const headers = { cookie: strict.cookies };
  const { pathname, search } = new URL(
    (await strict.get("/account", headers)).headers.get("location") ?? "",
  );
  const reason = await (await strict.get(pathname + search, headers)).text();
  await strict.close();
  expect(pathname).toBe("/_auth/step-up");
  expect(reason).toContain("This page needs a second step when you sign in.");
});

function headersIn(response: string): Record<string, string> {
  const lines = response.split("\r\n\r\n", 1)[0]?.split("\r\n").slice(1) ?? [];
  return Object.fromEntries(
    lines.map((line) => {
      const [name = "", ...value] = line.split(": ");
      return [name.toLowerCase(), value.join(": ")];
    }),
  );
}

function expectSecurity(headers: Record<string, string>): void {
  const policy = headers["content-security-policy"] ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("object-src 'none'");
  expect(policy).toContain("base-uri 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain("unsafe-");
  expect(headers).toMatchObject({
    "x-content-type-options": "nosniff",
    // Pages send their origin with their own forms.
    "referrer-policy": expect.stringMatching(/^(?:no-referrer|same-origin)$/),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
  });
}

test("over https every response insists on https", async () => {
  const secure = await runApp({ LATCHKEY_BASE_URL: "https://app.example.com" });
  try {
    const { headers } = await secure.get("/");
    expect(headers.get("strict-transport-security")).toBe("max-age=63072000; includeSubDomains");
    expect(headers.get("content-security-policy")).toContain("upgrade-insecure-requests");
  } finally {
    await secure.close();
  }
});

describe("a visitor", () => {
  test("a visitor finds the home page, and is sent to sign in from every other page", async () => {
    expect(await (await app.get("/")).text()).toContain("<h1>Sign in to Latchkey</h1>");
    const response = await app.get("/reports?year=2026");
    expect(response.headers.get("location")).toBe(
      `${app.url}/api/auth/login?returnTo=%2Freports%3Fyear%3D2026`,
    );
  });

  test("a visitor reads pages in the language of the browser", async () => {
    const html = await (await app.get("/", { "accept-language": "de-AT, en;q=0.5" })).text();
    expect(html).toContain('<html lang="de" dir="ltr" ');
    expect(html).toContain("<h1>Bei Latchkey anmelden</h1>");
  });

  test("a visitor who comes back without signing in reads about no change", async () => {
    const html = await (await app.get("/?notice=cancelled")).text();
    expect(html).toContain("You came back without signing in.");
  });

  test("the sign-in link leads back to the requested page", async () => {
    const html = await (await app.get("/?returnTo=%2Faccount%3Fa%3D1")).text();
    expect(html).toContain("Sign in to open the page you asked for.");
    expect(html).toContain(`href="${app.url}/api/auth/login?returnTo=%2Faccount%3Fa%3D1"`);
  });

  test("while the provider does not respond, a problem page says so, and the home page afterwards", async () => {
    const html = await (await app.get("/api/auth/login")).text();
    expect(html).toContain(
      "<title>Error: We can&#x27;t reach the local test provider · Latchkey</title>",
    );
    expect(await (await app.get("/")).text()).toContain("isn&#x27;t answering right now");
  });

  test("a forged return from the provider does not confirm a sign-out at the provider", async () => {
    const html = await (await app.get("/_auth/signed-out?state=guessed")).text();
    expect(html).not.toContain("signed out of Latchkey and");
  });
});

describe("a person who is signed in", () => {
  test.each(["/", "/account", "/devices", "/sample"])(
    "a signed-in person reads %s, which no cache may keep",
    async (path) => {
      const response = await app.get(path, isSigned());
      expect(response.status).toBe(200);
      expect(response.headers.get("cache-control")).toBe("private, no-store");
      expect(response.headers.get("vary")).toMatch(/cookie/i);
      expect(response.headers.getSetCookie().join()).toContain("appSession.t=");
    },
  );

  test("no page holds a token", async () => {
    for (const path of ["/", "/account", "/devices", "/sample"]) {
      expect(await (await app.get(path, isSigned())).text()).not.toContain("canary");
    }
  });

  test("the sample page shows the requested address, escaped", async () => {
    const html = await (await app.get("/sample?a=%3Cb%3E&c=d", isSigned())).text();
    expect(html).toContain("/sample?a=%3Cb%3E&amp;c=d");
    expect(html).toContain("<dt>a</dt><dd>&lt;b&gt;</dd>");
  });

  test("a signed-in person reads the sample API", async () => {
    const response = await app.get("/api/sample", isSigned());
    expect(await response.json()).toMatchObject({ sub: "person-ada" });
  });

  test("a missing page is answered with a problem page with a reference", async () => {
    const response = await app.get("/nothing", isSigned());
    expect(response.status).toBe(404);
    expect(await response.text()).toMatch(/<code class="whole">[2-9A-Z]{4}-[2-9A-Z]{4}<\/code>/);
  });

  test("a signed-in person is sent home from the signed-out page", async () => {
    const response = await app.get("/_auth/signed-out", isSigned());
    expect(response.headers.get("location")).toBe(`${app.url}/`);
  });

  test("a page of the application has a length, since its parts are compressed apart", async () => {
    const headers = { ...isSigned(), "accept-encoding": "gzip, deflate, br" };
    const response = await app.get("/account", headers);
    expect(Number(response.headers.get("content-length"))).toBeGreaterThan(1000);
  });

  test.each([
    ["a page of the application", "/account", "Your account"],
    ["a problem page of sign-in", "/api/auth/callback?error=server_error", "</html>"],
  ])("%s is compressed", async (_what, path, text) => {
    const headers = { ...isSigned(), "accept-encoding": "gzip, deflate, br" };
    const response = await app.get(path, headers);
    expect(response.headers.get("content-encoding")).toBe("gzip");
    expect(await response.text()).toContain(text);
  });
});

test("scheme, language and accent of the settings count for every page, and for brand.css", async () => {
  const own = await runApp({
    LATCHKEY_SCHEME: "dark",
    LATCHKEY_LANGUAGE: "de",
    LATCHKEY_COLOR_ACCENT: "#7a1f5c #f0a0d0",
  });
  try {
    const headers = { cookie: own.cookies, "accept-language": "fr" };
    for (const path of ["/", "/account", "/nothing", "/api/auth/callback"]) {
      const html = await (await own.get(path, headers)).text();
      expect([path, html.slice(0, 60)]).toEqual([path, expect.stringContaining('<html lang="de"')]);
      expect(html).toMatch(/^[^>]*>[^>]* data-theme="dark"/);
      expect(html).toContain("--accent:light-dark(#7a1f5c,#f0a0d0)");
    }
    const sheet = await (await own.get("/_auth/brand.css")).text();
    expect(sheet).toContain("--lk-accent: light-dark(#7a1f5c, #f0a0d0);");
    expect(sheet).toContain("--lk-scheme: dark;");
    const { headers: large } = await own.get("/", { "x-other": "b".repeat(40_000) });
    expect(large.get("content-security-policy")).toContain("style-src 'sha256-");
  } finally {
    await own.close();
  }
});

test("a program reads JSON for a missing page", async () => {
  const response = await app.get("/nothing", { cookie: app.cookies, accept: "application/json" });
  expect(await response.json()).toMatchObject({ error: "ERR_NOT_FOUND" });
});

test("an unreadable cookie leads to a home page with the reason, and is cleared", async () => {
  const response = await app.get("/", { cookie: "appSession=damaged" });
  expect(await response.text()).toContain("<h1>Please sign in again</h1>");
  expect(response.headers.getSetCookie().join()).toMatch(/appSession=;/);
});

test.each([
  { NODE_ENV: "production" },
  { LATCHKEY_BASE_URL: "https://app.example.com" },
  { LATCHKEY_BASE_URL: "http://192.168.0.7" },
])("production has no gallery and no notes for developers: %j", async (environment) => {
  const production = await runApp(environment);
  try {
    expect((await production.get("/_auth/gallery")).status).toBe(404);
    expect((await production.get("/_auth/gallery/problem-loop")).status).toBe(404);
    const problem = await (await production.get("/api/auth/login")).text();
    expect(problem).not.toContain("For developers");
  } finally {
    await production.close();
  }
});

test("developers read which routes there are below the prefix of sign-in, and only there", async () => {
  const accept = { accept: "text/html", cookie: app.cookies };
  const notes = /For developers.*\/api\/auth\/login, \/api\/auth\/callback, /s;
  expect(await (await app.get("/api/auth/nothing", accept)).text()).toMatch(notes);
  expect(await (await app.get("/nothing", accept)).text()).not.toContain("For developers");
});

test("development has a gallery and notes for developers", async () => {
  expect((await app.get("/_auth/gallery/problem-loop")).status).toBe(200);
  expect(await (await app.get("/api/auth/login")).text()).toContain("For developers");
});

test("a page for signed-in people requires a sign-in even if the settings make it public", async () => {
  const open = await runApp({ LATCHKEY_PUBLIC_PATHS: "/account /devices /api/sample" });
  try {
    for (const path of ["/account", "/devices"]) {
      const response = await open.get(path);
      expect(response.status).toBe(302);
      expect(response.headers.get("location")).toContain("/api/auth/login?returnTo=");
    }
    expect((await open.post("/devices/all")).status).toBe(303);
    expect((await open.get("/api/sample")).status).toBe(401);
    expect((await open.get("/")).status).toBe(200);
  } finally {
    await open.close();
  }
});
