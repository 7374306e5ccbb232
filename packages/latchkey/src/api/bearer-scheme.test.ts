import { describe, expect, test } from "vitest";

import { createApiApp, startSeconds } from "../../test/api/api-app.ts";

const bearer = 'Bearer realm="https://app.example"';
const cookieChallenge = 'Cookie realm="https://app.example"';

describe("a request with an access token", () => {
  test("shows the handler claims, scopes and client [AP-011]", async () => {
    const app = await createApiApp();
    const { status, made } = await app.call({ token: await app.token() }, (here) => {
      const { claims, user, scopes, client, credential, session, ended } = here.require();
      const same = [user === claims, session.user === claims, ended];
      return [claims.sub, same, scopes, client, credential, session.times];
    });
    const started = { startedAt: startSeconds, createdAt: startSeconds, updatedAt: startSeconds };
    const end = startSeconds + 300;
    const times = { ...started, rollingEndsAt: null, absoluteEndsAt: end, endsAt: end };
    expect([status, made]).toEqual([
      200,
      ["ada", [true, true, undefined], ["read", "write"], "robot", "access_token", times],
    ]);
  });

  test("counts at every path, also outside of the API", async () => {
    const app = await createApiApp();
    const token = await app.token();
    expect(await app.call({ token, path: "/reports" })).toMatchObject({ made: "ada" });
    expect(await app.call({ token, path: "/public/page" })).toMatchObject({ made: "ada" });
  });

  test("sets and renews no cookie, and no shared cache may keep its response [AP-034]", async () => {
    const app = await createApiApp();
    const cookie = await app.cookie();
    app.clock.seconds = 200;
    const good = await app.call({ token: await app.token(), headers: { cookie } });
    const bad = await app.call({ token: "bad", headers: { cookie: `${cookie}; appSession=x` } });
    expect([good.status, bad.status]).toEqual([200, 401]);
    for (const { headers } of [good, bad]) {
      expect(headers.getSetCookie()).toEqual([]);
      expect(headers.get("cache-control")).toMatch(/no-store$/);
      expect(headers.get("vary")).toBe("Authorization, Cookie");
    }
  });

  test("a session keeps its own claims, scopes and client, beside the option api", async () => {
    const app = await createApiApp();
    const { made } = await app.call({ headers: { cookie: await app.cookie() } }, (here) => [
      here.credential,
      here.claims?.sub,
      here.scopes,
      here.client,
    ]);
    expect(made).toEqual(["session", "cookie-user", [], "client"]);
    const { made: anonymous } = await app.call({ path: "/public/page" }, (here) => [
      here.credential,
      here.claims,
      here.scopes,
      here.client,
    ]);
    expect(anonymous).toEqual([null, null, [], null]);
  });

  test.each([
    "login",
    "accessToken",
    "update",
    "touch",
    "devices",
    "activity",
    "renameDevice",
    "endDevice",
    "endDevices",
  ] as const)("gets 403 with a clear code if the handler calls %s()", async (method) => {
    const app = await createApiApp();
    const { status, body } = await app.call({ token: await app.token() }, async (here) => {
      const run = here[method] as () => unknown;
      return run();
    });
    expect([status, body]).toEqual([
      403,
      {
        error: "ERR_SESSION_REQUIRED",
        description: `${method}() needs a session, and this request came with an access token.`,
      },
    ]);
  });
});

describe("the header decides, and never the cookie [AP-032]", () => {
  test.each(["GET", "POST", "DELETE", "HEAD", "OPTIONS"])(
    "a bad token with %s gets 401",
    async (method) => {
      const app = await createApiApp();
      const headers = { cookie: await app.cookie() };
      for (const path of ["/api/data", "/page"]) {
        const { status, reached } = await app.call({ method, path, headers, token: "garbage" });
        expect([status, reached]).toEqual([401, false]);
      }
    },
  );

  test("on a public page a bad token names no user, and is refused when the handler requires one", async () => {
    const app = await createApiApp();
    const headers = { cookie: await app.cookie() };
    const request = { path: "/public/page", headers, token: "garbage" };
    const seen = await app.call(request, (here) => [
      here.user,
      here.session,
      here.credential,
      here.scopes,
      here.client,
      here.explain({ scope: "read" }).holds,
    ]);
    expect(seen).toMatchObject({ status: 200, made: [null, null, null, [], null, false] });
    const asked = await app.call(request, (here) => here.require());
    expect(asked).toMatchObject({ status: 401, body: { error: "invalid_token" } });
    const changed = await app.call(request, (here) => here.touch());
    expect(changed.status).toBe(401);
  });

  test.each(["Basic YTpi", "Token abc", "", "Bearertoken", "Negotiate x", "Digest a, b=c"])(
    "the scheme of %j leaves sessions as they are [AP-033]",
    async (authorization) => {
      const app = await createApiApp();
      const cookie = await app.cookie();
      const signedIn = await app.call({ headers: { authorization, cookie } });
      expect(signedIn).toMatchObject({ status: 200, made: "cookie-user" });
      const anonymous = await app.call({ path: "/page", headers: { authorization } });
      expect(anonymous.status).toBe(302);
    },
  );

  test("our own routes are for sessions, and ignore the header [AP-032]", async () => {
    const app = await createApiApp();
    const path = "/api/auth/me";
    const headers = { cookie: await app.cookie() };
    const signedIn = await app.call({ path, headers, token: "garbage" });
    expect(signedIn).toMatchObject({ status: 200, reached: false, body: { sub: "cookie-user" } });
    expect(signedIn.headers.getSetCookie()).not.toEqual([]);
    const caller = await app.call({ path, token: await app.token() });
    expect(caller).toMatchObject({ status: 204, reached: false });
  });

  test("without the option api the header means nothing [AP-013]", async () => {
    const app = await createApiApp({}, { api: undefined });
    const headers = { cookie: await app.cookie() };
    expect(await app.call({ headers, token: "garbage" })).toMatchObject({ made: "cookie-user" });
    const { challenge } = await app.call({ token: await app.token() });
    expect(challenge).toBe(cookieChallenge);
  });
});

describe("rules", () => {
  test("a function sees a token as a session with its claims", async () => {
    const app = await createApiApp();
    const token = await app.token();
    const ask = (sub: string) =>
      app.call({ token }, (here) => here.require(({ user }) => user.sub === sub).claims.sub);
    expect(await ask("ada")).toMatchObject({ made: "ada" });
    expect(await ask("ben")).toMatchObject({ status: 403 });
  });

  test("a rule by path holds for public paths that it closes", async () => {
    const app = await createApiApp({}, { accessRules: { "/public/admin": { scope: "admin" } } });
    const token = await app.token();
    expect(await app.call({ token, path: "/public/admin" })).toMatchObject({ status: 403 });
    expect(await app.call({ token: "bad", path: "/public/admin" })).toMatchObject({ status: 401 });
  });
});

test("a rule by path that throws ends a request with a token in 500, and lets none reach the app", async () => {
  const failing = () => {
    throw new Error("of the app");
  };
  const app = await createApiApp({}, { accessRules: { "/api": failing } });
  const { status, reached } = await app.call({ token: await app.token() });
  expect([status, reached]).toEqual([500, false]);
  const logged = expect.objectContaining({ reason: "internal", error: new Error("of the app") });
  expect(app.events).toContainEqual(logged as unknown);
});

describe("paths of the API", () => {
  test("a listed path and everything below it lead no browser to login", async () => {
    const app = await createApiApp({ paths: ["/v1/"], dpop: false });
    for (const path of ["/v1", "/v1/items", "/api/x"]) {
      const { status, challenge } = await app.call({ path, headers: { accept: "text/html" } });
      expect([status, challenge]).toEqual([401, `${bearer}, ${cookieChallenge}`]);
    }
    expect(await app.call({ path: "/v10" })).toMatchObject({ status: 302 });
  });

  test("letters of another case lead no browser to login either [AP-037]", async () => {
    const app = await createApiApp({ paths: ["/v1", "/Reports"] });
    for (const path of ["/API/x", "/V1/items", "/%41pi", "/reports/x", "/REPORTS"]) {
      expect(await app.call({ path, headers: { accept: "text/html" } })).toMatchObject({
        status: 401,
        challenge: expect.stringContaining("Bearer"),
      });
    }
    expect((await app.call({ path: "/V1?access_token=x", token: "bad" })).status).toBe(400);
  });

  test("below the path of the base URL they are the same [AP-037]", async () => {
    const app = await createApiApp({}, { baseURL: "https://app.example/Shop" });
    const statusOf = async (path: string) => {
      const request = new Request(`https://app.example${path}`, {
        headers: { accept: "text/html" },
      });
      return (await app.auth.respond(request, () => new Response("done"))).status;
    };
    expect(await Promise.all(["/Shop/api/x", "/SHOP/API", "/api/x"].map(statusOf))).toEqual([
      401, 401, 401,
    ]);
    expect(await statusOf("/Shop/page")).toBe(302);
  });

  test("the path / makes the whole app an API", async () => {
    const app = await createApiApp({ paths: ["/"] });
    expect(await app.call({ path: "/any" })).toMatchObject({ status: 401 });
  });

  test("at a public path of the API a bad token gets 401", async () => {
    const app = await createApiApp({ paths: ["/public"] });
    expect(await app.call({ path: "/public/x", token: "bad" })).toMatchObject({ status: 401 });
    expect(await app.call({ path: "/public/x" })).toMatchObject({ status: 200, made: null });
  });
});

describe("the log", () => {
  test("names a refused token once in ten seconds, without any of it", async () => {
    const app = await createApiApp();
    const token = await app.token({ aud: "https://other.example" });
    await app.call({ token });
    await app.call({ token });
    app.clock.seconds = 10;
    await app.call({ token });
    const refusals = app.events.filter(({ event }) => event === "refusal");
    const expected = {
      event: "refusal",
      route: "api",
      reason: "access_token_refused",
      status: 401,
      detail:
        'invalid_token: The access token is for another audience. aud: expected https://api.example, got "https://other.example"',
    };
    expect(refusals).toEqual([expected, expected]);
  });

  test("has a request to the app itself checked once", async () => {
    const app = await createApiApp();
    const token = await app.token();
    const { made } = await app.call({ token }, async (here) => here.scopes);
    expect(made).toEqual(["read", "write"]);
    expect(app.issuer.fetched.filter((each) => each.endsWith("/keys"))).toHaveLength(1);
  });
});
