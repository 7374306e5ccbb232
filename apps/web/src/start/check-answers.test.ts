import { afterAll, describe, expect, test } from "vitest";

import { type Asked, runCheckedApp } from "./checked-app.support.ts";

const app = await runCheckedApp();
afterAll(() => app.close());

const { ask, signedIn } = app;
const script = { "sec-fetch-mode": "cors" };

describe("nginx, which understands statuses only", () => {
  test.each([
    [401, "a page of a visitor", {}],
    [401, "a script of a visitor", { headers: script }],
    [
      401,
      "a form of a visitor",
      { method: "POST", headers: { referer: "http://wiki.localhost/" } },
    ],
    [200, "a public path", { uri: "/public" }],
    [403, "an unknown host", { host: "evil.example" }],
    [403, "an ambiguous path", { uri: "/%00" }],
    [403, "an alias", { headers: { latchkey_sub: "ada" } }],
  ])("nginx gets %i for %s [GW-062]", async (status, _, asked: Asked) => {
    const response = await ask({ proxy: "nginx", ...asked });
    expect([response.status, response.headers.get("location")]).toEqual([status, null]);
  });

  test("nginx gets the whole response by a second question", async () => {
    const login = await ask({ proxy: "nginx/response" });
    expect([login.status, login.headers.get("location")]).toEqual([
      302,
      expect.stringContaining("/api/auth/login?returnTo="),
    ]);
    const page = await ask({ proxy: "nginx/response", uri: "/admin", headers: signedIn() });
    expect([page.status, await page.text()]).toEqual([403, expect.stringContaining("</html>")]);
    expect((await ask({ proxy: "nginx/response", host: "evil.example" })).status).toBe(403);
  });

  test("a second question about a request that may pass by now repeats a page, and refuses a change", async () => {
    for (const method of ["GET", "HEAD"]) {
      const page = await ask({ proxy: "nginx/response", method, headers: signedIn() });
      expect(page.headers.get("location")).toBe("http://wiki.localhost/page?a=1");
      expect(page.headers.get("latchkey-sub")).toBeNull();
    }
    const change = await ask({ proxy: "nginx/response", method: "PUT", headers: signedIn() });
    expect([change.status, await change.json()]).toEqual([
      409,
      { error: "try_again", description: "Send the request again." },
    ]);
  });
});

describe("Envoy, which sends the request itself", () => {
  /** `address` is what the client has requested; the forwarded headers are its claims. */
  const askAt = (address: string, headers: Readonly<Record<string, string>> = {}) =>
    ask({
      proxy: `envoy${address}`,
      host: "evil.example",
      uri: "/public",
      headers: { host: "wiki.localhost", ...headers },
    });

  test.each([
    ["/public/file?a=1", 200, null],
    ["/page?a=1", 302, "http://wiki.localhost/page?a=1"],
    ["?a=1", 302, "http://wiki.localhost/?a=1"],
    ["", 302, "http://wiki.localhost/"],
  ])(
    "Envoy gets the answer for its own address: %s [GW-060]",
    async (address, status, returnTo) => {
      const response = await askAt(address);
      const location = response.headers.get("location");
      expect([response.status, location && new URL(location).searchParams.get("returnTo")]).toEqual(
        [status, returnTo],
      );
    },
  );

  test("Envoy is led to remove the cookies if only those of sign-in are there [GW-030]", async () => {
    const seen = async (more: string) => {
      const { headers } = await askAt("/page", { cookie: app.cookies + more });
      return [headers.get("x-envoy-auth-headers-to-remove"), headers.get("cookie")];
    };
    expect([await seen(""), await seen("; theme=dark")]).toEqual([
      ["cookie", null],
      [null, "theme=dark"],
    ]);
  });
});

test.each<[string, string, Readonly<Record<string, string>>, number, string?]>([
  ["its own method alone", "OPTIONS", {}, 200],
  ["a further method", "OPTIONS", { "x-http-method-override": "delete" }, 401],
  ["two further methods", "OPTIONS", { "x-method-override": "OPTIONS, PUT" }, 401],
  ["a method that is open", "DELETE", { "x-http-method": "OPTIONS" }, 401],
  ["a further method in the query", "OPTIONS", {}, 401, "?a=1&_method=delete"],
  ["its own method in the query", "OPTIONS", {}, 200, "?_method=OPTIONS"],
])(
  "a visitor needs what the rules of every named method demand: %s",
  async (_, method, headers, status, query = "") => {
    const uri = `/calls${query}`;
    const response = await ask({ uri, method, headers: { ...script, ...headers } });
    expect(response.status).toBe(status);
  },
);

test("a session rolls by the check, with one small cookie for the browser [GW-065]", async () => {
  const rolling = await runCheckedApp({ LATCHKEY_SESSION_RENEW_AFTER: "0" });
  const response = await rolling.ask({ headers: { cookie: rolling.cookies } });
  const [cookie = "", ...others] = response.headers.getSetCookie();
  await rolling.close();
  expect(others).toEqual([]);
  expect(cookie).toMatch(/^appSession\.t=.*Domain=localhost/);
  expect(cookie.length).toBeLessThan(500);
});

test("the answer of the largest session stays below 8 kB, and leaves out groups as a whole [GW-034]", async () => {
  const groups = Array.from({ length: 500 }, (_, number) => `a-group-with-a-long-name-${number}`);
  const cookie = await app.signIn({ user: { sub: "ada", groups } });
  const { status, headers } = await ask({ headers: { cookie } });
  expect([status, headers.get("latchkey-groups")]).toEqual([200, ""]);
});

test("the access token is a header only if the settings say so [GW-040]", async () => {
  const passing = await runCheckedApp({
    LATCHKEY_CHECK_ACCESS_TOKEN: "true",
    LATCHKEY_CHECK_HEADERS: "x-auth-request",
  });
  const cookie = await passing.signIn({
    accessToken: "canary",
    accessTokenExpiresAt: Math.floor(Date.now() / 1000) + 3600,
  });
  const tokenAt = async (uri: string) => {
    const response = await passing.ask({ uri, headers: { cookie } });
    return response.headers.get("x-auth-request-access-token");
  };
  const tokens = [await tokenAt("/"), await tokenAt("/public")];
  const visitor = await passing.ask({ uri: "/comments" });
  await passing.close();
  expect(tokens).toEqual(["canary", ""]);
  expect([visitor.status, visitor.headers.get("x-auth-request-access-token")]).toEqual([200, ""]);
});
