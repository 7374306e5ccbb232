import { describe, expect, test } from "vitest";

import { type ApiResponse, createApiApp } from "../../test/api/api-app.ts";

describe("scripts of other origins [AP-036]", () => {
  const origin = "https://spa.example";
  const preflight = { origin, "access-control-request-method": "POST" };

  const sent = { method: "OPTIONS", headers: preflight };
  const named = ({ headers }: ApiResponse) =>
    Object.fromEntries([...headers].filter(([name]) => name.startsWith("access-control-")));

  test("a preflight for the API never runs a handler, and permits nothing by default", async () => {
    const accessRules = { "/api/admin": { scope: "admin" }, "/public/x": { scope: "admin" } };
    const app = await createApiApp({ paths: ["/public"] }, { accessRules });
    for (const path of ["/api/data", "/api/admin", "/public/x"]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const response = await app.call({ ...sent, path });
      expect([path, response.status, response.reached]).toEqual([path, 204, false]);
      expect(named(response)).toEqual({});
      expect(response.headers.get("cache-control")).toBe("no-store");
    }
    expect(await app.call({ ...sent, path: "/page" })).toMatchObject({ reached: false });
    expect(await app.call({ ...sent, path: "/public/y" })).toMatchObject({ reached: true });
  });

  test("a preflight of a listed origin is permitted what it requests, and another one nothing", async () => {
    const app = await createApiApp({ origins: [origin] });
    const requested = { "access-control-request-headers": "authorization, dpop" };
    const headers = { ...preflight, ...requested, "access-control-request-method": "PATCH" };
    const allowed = await app.call({ ...sent, headers });
    expect([allowed.status, allowed.reached]).toEqual([204, false]);
    expect(named(allowed)).toEqual({
      "access-control-allow-headers": "authorization, dpop",
      "access-control-allow-methods": "PATCH",
      "access-control-allow-origin": origin,
      "access-control-max-age": "86400",
    });
    const plain = await app.call(sent);
    expect(plain.headers.get("access-control-allow-headers")).toBeNull();
    for (const other of ["https://evil.example", "null", `${origin}.evil.example`, "*"]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const refused = await app.call({ ...sent, headers: { ...headers, origin: other } });
      expect([refused.status, refused.reached, named(refused)]).toEqual([204, false, {}]);
      expect(refused.headers.get("vary")).toBe("Origin");
    }
  });

  test("a preflight reaches the app if the option says so, without a user", async () => {
    const app = await createApiApp({ preflights: "pass", origins: [origin] });
    expect(await app.call(sent)).toMatchObject({ reached: true, made: null });
    expect(await app.call({ ...sent, path: "/page" })).toMatchObject({ reached: false });
  });

  test("a script of a listed origin may read the response to its token, and others may not", async () => {
    const app = await createApiApp({ origins: [origin] });
    const token = await app.token();
    const allowed = await app.call({ token, headers: { origin } });
    expect([allowed.made, named(allowed)]).toEqual([
      "ada",
      { "access-control-allow-origin": origin },
    ]);
    expect(allowed.headers.get("vary")).toBe("Authorization, Cookie, Origin");
    const other = await app.call({ token, headers: { origin: "https://evil.example" } });
    expect(named(other)).toEqual({});
    const signedIn = await app.call({ headers: { origin, cookie: await app.cookie() } });
    expect([signedIn.made, named(signedIn)]).toEqual(["cookie-user", {}]);
  });

  test.each([
    ["OPTIONS", { origin }],
    ["OPTIONS", { "access-control-request-method": "POST" }],
    ["POST", preflight],
    ["OPTIONS", { ...preflight, "x-http-method-override": "DELETE" }],
    ["OPTIONS", { ...preflight, "x-http-method": "POST" }],
    ["OPTIONS", { ...preflight, "x-method-override": "" }],
  ])("%s with %j is no preflight, and is guarded", async (method, headers) => {
    const app = await createApiApp({ preflights: "pass" });
    expect(await app.call({ method, headers })).toMatchObject({ status: 401, reached: false });
  });

  test.each([
    "/api/..%2fpage",
    "/api/%252e%252e/page",
    "/api/..;/page",
    "/api/..%5cpage",
    "/api/%0a",
    "/API/data",
  ])("a preflight for %s, which some server reads as another path, is guarded", async (path) => {
    const app = await createApiApp({ preflights: "pass" });
    const { reached } = await app.call({ method: "OPTIONS", headers: preflight, path });
    expect(reached).toBe(false);
  });

  test.each([
    ["/api/../page", []],
    ["http://app.example/api/data", []],
    ["/api/data", ["/page"]],
    ["/api/data", ["not a target"]],
    ["/api/data", ["/api/other"], "admitted"],
  ])("a preflight for %s and rewritten to %j is judged by all of them", async (...asked) => {
    const [target, otherTargets, outcome = 401] = asked;
    const app = await createApiApp({ preflights: "pass" });
    const received = await app.auth.host.receive({}, (ownOrigin) => ({
      method: "OPTIONS",
      url: ownOrigin + target,
      target,
      otherTargets,
      headers: new Headers(preflight),
      body: async () => null,
    }));
    const status = "admitted" in received ? "admitted" : received.response.status;
    expect(status).toBe(outcome);
  });

  test("a request with credentials is no preflight: a bad token does not make the cookie count", async () => {
    const app = await createApiApp({ preflights: "pass" });
    const cookie = await app.cookie();
    const headers = { ...preflight, cookie };
    expect(await app.call({ method: "OPTIONS", headers, token: "bad" })).toMatchObject({
      status: 401,
      reached: false,
    });
  });

  test.each(["Bearer bad", "Basic YTpi"])(
    "a request with the preflight headers and the header %j is guarded",
    async (authorization) => {
      const app = await createApiApp({ preflights: "pass" });
      const headers = { ...preflight, authorization };
      expect(await app.call({ method: "OPTIONS", headers })).toMatchObject({
        status: 401,
        reached: false,
      });
    },
  );

  test("a request with the preflight headers and a bad cookie is guarded [AP-034]", async () => {
    const app = await createApiApp({ preflights: "pass" });
    const headers = { ...preflight, cookie: "appSession=bad" };
    expect(await app.call({ method: "OPTIONS", headers })).toMatchObject({ reached: false });
  });

  test("scripts of a configured origin may read a refusal, and others may not", async () => {
    const app = await createApiApp({ origins: [origin] });
    const allowed = await app.call({ token: "bad", headers: { origin } });
    expect(allowed.headers.get("access-control-allow-origin")).toBe(origin);
    expect(allowed.headers.get("vary")).toBe("Authorization, Cookie, Origin");
    for (const headers of [{ origin: "https://evil.example" }, {}] as const) {
      const refused = await app.call({ headers });
      expect(refused.headers.get("access-control-allow-origin")).toBeNull();
    }
  });
});

test("a change with an access token may come from any origin, one with the session may not", async () => {
  const app = await createApiApp({}, { checkOrigin: true });
  const headers = { "sec-fetch-site": "same-site", origin: "https://blog.example" };
  const change = { path: "/api/data", method: "POST", headers } as const;
  expect(await app.call({ ...change, token: await app.token() })).toMatchObject({ status: 200 });
  const withCookie = { ...headers, cookie: await app.cookie() };
  expect(await app.call({ ...change, headers: withCookie })).toMatchObject({
    status: 403,
    reached: false,
  });
});
