import { describe, expect, test } from "vitest";

import { type ApiApp, createApiApp, startSeconds } from "../../test/api/api-app.ts";
import type { Options } from "../host/auth.ts";
import { createMcpApp } from "../../test/api/mcp-app.ts";
import { Forbidden, SignInRequired } from "../errors/access-errors.ts";
import { AccessTokenError } from "../errors/access-token-error.ts";
import { Refusal } from "../errors/refusal.ts";

const bearer = 'Bearer realm="https://app.example"';
const cookieChallenge = 'Cookie realm="https://app.example"';

/** Without the challenge for proofs, which other tests expect. */
const createApp = (given = {}, options: Partial<Options> = {}): Promise<ApiApp> =>
  createApiApp({ dpop: false, ...given }, options);

test("Bearer comes first, then DPoP, then the session", async () => {
  const { challenge } = await (await createApiApp()).call({});
  expect(challenge).toBe(
    `${bearer}, DPoP algs="ES256 ES384 EdDSA PS256 RS256", ${cookieChallenge}`,
  );
});

describe("refusals [AP-019]", () => {
  const expectRefusal = async (
    app: ApiApp,
    request: Parameters<ApiApp["call"]>[0],
    expected: { status: number; challenge: string | null; body: unknown },
  ) => {
    const { status, challenge, body, headers, reached } = await app.call(request);
    expect({ status, challenge, body }).toEqual(expected);
    expect(reached).toBe(false);
    expect(headers.get("cache-control")).toMatch(/no-store$/);
    expect(headers.get("vary")).toBe("Authorization, Cookie");
    expect(headers.get("access-control-expose-headers")).toBe(
      "WWW-Authenticate, DPoP-Nonce, Retry-After",
    );
    expect(headers.get("location")).toBeNull();
  };

  test("without credentials the challenge names no error [AP-020]", async () => {
    await expectRefusal(
      await createApp(),
      { headers: { accept: "text/html", "sec-fetch-mode": "navigate" } },
      {
        status: 401,
        challenge: `${bearer}, ${cookieChallenge}`,
        body: {
          error: "not_authenticated",
          description: "The user does not have an active session or is not authenticated",
        },
      },
    );
  });

  test("an expired token gets 401 invalid_token, also if a page is requested [AP-037]", async () => {
    const app = await createApp();
    const token = await app.token({ exp: startSeconds - 30 });
    const description = "The access token has expired.";
    await expectRefusal(
      app,
      { token, path: "/page", headers: { accept: "text/html" } },
      {
        status: 401,
        challenge: `${bearer}, error="invalid_token", error_description="${description}"`,
        body: { error: "invalid_token", description },
      },
    );
  });

  test("a malformed header gets 400 invalid_request", async () => {
    const description = "The Authorization header is malformed.";
    await expectRefusal(
      await createApp(),
      { headers: { authorization: "Bearer" } },
      {
        status: 400,
        challenge: `${bearer}, error="invalid_request", error_description="${description}"`,
        body: { error: "invalid_request", description },
      },
    );
  });

  test("a token in the query gets 400 at the API, with or without a header [AP-035]", async () => {
    const app = await createApp();
    const description = "Send the access token in the Authorization header.";
    const refusal = {
      status: 400,
      challenge: `${bearer}, error="invalid_request", error_description="${description}"`,
      body: { error: "invalid_request", description },
    };
    const token = await app.token();
    await expectRefusal(app, { path: `/api/data?access_token=${token}` }, refusal);
    await expectRefusal(app, { path: `/api/data?access_token=${token}`, token }, refusal);
    const elsewhere = await app.call({ path: `/page?access_token=${token}` });
    expect(elsewhere.status).toBe(302);
    expect(JSON.stringify(app.events)).not.toContain(token);
  });

  test("a missing scope gets 403 with all scopes of the operation [AP-021]", async () => {
    const app = await createApp({}, { accessRules: { "/api": { scope: ["read", "admin"] } } });
    await expectRefusal(
      app,
      { token: await app.token() },
      {
        status: 403,
        challenge: `${bearer}, error="insufficient_scope", scope="read admin"`,
        body: {
          error: "insufficient_scope",
          description: "It needs the permission read and admin.",
          scope: "read admin",
          unmet: [{ part: "scope", required: ["read", "admin"] }],
        },
      },
    );
  });

  test("scopes of several rules are named together, those of the path first", async () => {
    const rules = { "/api": { scope: "read" }, "/api/data": { scope: ["list", "read"] } };
    const app = await createApp({}, { accessRules: rules });
    const token = await app.token({ scope: "read" });
    const byPath = await app.call({ token });
    expect(byPath.challenge).toContain('scope="read list"');
    const inHandler = await app.call({ token, path: "/api/other" }, (here) =>
      here.require({ scope: "write" }),
    );
    expect(inHandler).toMatchObject({ status: 403, reached: true });
    expect(inHandler.challenge).toContain('scope="read write"');
  });

  test("missing scopes of several rules are named in one sentence each", async () => {
    const rules = { "/api": { scope: "admin" }, "/api/data": { scope: ["read", "list"] } };
    const app = await createApp({}, { accessRules: rules });
    const { body } = await app.call({ token: await app.token() });
    expect(body).toMatchObject({
      error: "insufficient_scope",
      description: "It needs the permission admin. It needs the permission read and list.",
    });
  });

  test("all sentences of a rule that forbids follow the first one", async () => {
    const rule = { scope: "admin", claim: { role: "admin" } };
    const app = await createApp({}, { accessRules: { "/api": rule } });
    const { body } = await app.call({ token: await app.token() });
    expect(body).toMatchObject({
      error: "ERR_FORBIDDEN",
      description:
        "The caller may not do this. It needs the permission admin. It is for users who have role: admin.",
    });
  });

  test("another rule that fails gets 403 without a challenge", async () => {
    const app = await createApp({}, { accessRules: { "/api": { claim: { role: "admin" } } } });
    await expectRefusal(
      app,
      { token: await app.token() },
      {
        status: 403,
        challenge: null,
        body: {
          error: "ERR_FORBIDDEN",
          description: expect.stringContaining("The caller may not do this.") as string,
          unmet: [expect.objectContaining({ part: "claim", name: "role", required: ["admin"] })],
        },
      },
    );
  });

  test("a claim that fails beside a scope is no missing scope: a broader token would not help", async () => {
    const rule = { scope: "admin", claim: { role: "admin" } };
    const app = await createApp({}, { accessRules: { "/api": rule } });
    expect(await app.call({ token: await app.token() })).toMatchObject({
      status: 403,
      challenge: null,
    });
  });

  test("a scope that is missing beside a stronger sign-in is named first", async () => {
    const rule = { scope: "admin", acr: "gold", maxAge: 60 };
    const app = await createApp({}, { accessRules: { "/api": rule } });
    const { challenge } = await app.call({ token: await app.token() });
    expect(challenge).toBe(`${bearer}, error="insufficient_scope", scope="admin"`);
  });

  test("a weak sign-in gets the parameters of RFC 9470, if a token was presented [AP-022]", async () => {
    const rule = { acr: ["gold", "silver"], maxAge: 60 };
    const app = await createApp({}, { accessRules: { "/api": rule } });
    const weak = await app.call({ token: await app.token({ acr: "bronze" }) });
    expect(weak.status).toBe(401);
    expect(weak.challenge).toContain(`${bearer}, error="insufficient_user_authentication"`);
    expect(weak.challenge).toContain('acr_values="gold silver", max_age="60"');
    const strong = await app.token({ acr: "silver", auth_time: startSeconds - 10 });
    expect(await app.call({ token: strong })).toMatchObject({ status: 200 });
    const old = await app.token({ acr: "silver", auth_time: startSeconds - 1000 });
    expect(await app.call({ token: old })).toMatchObject({ status: 401 });
    const session = await app.call({ headers: { cookie: await app.cookie() } });
    expect(session.challenge).not.toContain("Bearer");
  });

  test.each([
    [{ acr: ["gold", "silver"] }, { acr_values: "gold silver" }, 'acr_values="gold silver"'],
    [{ maxAge: 60 }, { max_age: 60 }, 'max_age="60"'],
    [
      { acr: "gold", maxAge: 60 },
      { acr_values: "gold", max_age: 60 },
      'acr_values="gold", max_age="60"',
    ],
  ])(
    "a weak sign-in for the rule %j gets its demands in body and challenge, and no others [AP-022]",
    async (rule, demands, parameters) => {
      const error = "insufficient_user_authentication";
      const description = "A different authentication of the user is required.";
      const app = await createApp({}, { accessRules: { "/api": rule } });
      await expectRefusal(
        app,
        { token: await app.token() },
        {
          status: 401,
          challenge: `${bearer}, error="${error}", error_description="${description}", ${parameters}`,
          body: { error, description, ...demands },
        },
      );
    },
  );

  test("acr and auth_time of another type prove nothing", async () => {
    const app = await createApp(
      {},
      { accessRules: { "/api/a": { maxAge: 60 }, "/api/b": { acr: "1" } } },
    );
    const token = await app.token({ acr: 7, auth_time: String(startSeconds) });
    expect(await app.call({ token, path: "/api/a" })).toMatchObject({ status: 401 });
    expect(await app.call({ token, path: "/api/b" })).toMatchObject({ status: 401 });
    const timely = await app.token({ auth_time: startSeconds });
    expect(await app.call({ token: timely, path: "/api/a" })).toMatchObject({ status: 200 });
  });

  test("quotes, line breaks and backslashes of a rule do not break a challenge [AP-023]", async () => {
    const app = await createApp();
    const { challenge } = await app.call({ token: await app.token() }, () => {
      throw new Forbidden([{ part: "scope", required: ['a"b\r\nX: y\\c'] }]);
    });
    expect(challenge).toBeNull();
    const { challenge: named } = await app.call({ token: await app.token() }, (here) =>
      here.require({ acr: "a'b" }),
    );
    expect(named).toContain('acr_values="a\'b"');
  });

  test("keys that cannot be fetched are 503 without a challenge, and logged", async () => {
    const app = await createApp();
    app.issuer.answers.set("/keys", () => new Response(null, { status: 500 }));
    const { status, challenge, body, headers } = await app.call({ token: await app.token() });
    expect({ status, challenge, body }).toEqual({
      status: 503,
      challenge: null,
      body: {
        error: "temporarily_unavailable",
        description: "The access token cannot be checked now.",
      },
    });
    expect(headers.get("retry-after")).toBe("5");
    expect(app.events).toContainEqual(
      expect.objectContaining({ reason: "access_token_unchecked", status: 503, route: "api" }),
    );
    expect(await app.call({ token: await app.token(), path: "/public/x" })).toMatchObject({
      status: 503,
    });
  });

  test.each([
    ["in the seconds that it names", new Refusal("store_unavailable", { retryAfterSeconds: 7 }), 7],
    ["in five seconds if it names none", new Refusal("store_unavailable"), 5],
    [
      "in a second for a token that cannot be exchanged now",
      new AccessTokenError("ERR_TOKEN_EXCHANGE", "busy", { retryAfterSeconds: 1 }),
      1,
    ],
  ])("an outage in a handler lets the client try again %s", async (_name, error, seconds) => {
    const app = await createApp();
    const { status, challenge, headers } = await app.call({ token: await app.token() }, () => {
      throw error;
    });
    expect([status, challenge, headers.get("retry-after")]).toEqual([503, null, String(seconds)]);
  });

  test("a missing scope replaces the scope of the challenge that an MCP server shows without a token", async () => {
    const app = await createMcpApp({ dpop: false });
    const path = "/mcp";
    const metadata =
      'resource_metadata="https://app.example/.well-known/oauth-protected-resource/mcp"';
    const without = await app.call({ path });
    expect(without.challenge).toBe(`${bearer}, scope="notes:read", ${metadata}`);
    const token = await app.mcpToken();
    const missing = await app.call({ path, token }, (here) => here.require({ scope: "write" }));
    expect(missing.challenge).toBe(
      `${bearer}, error="insufficient_scope", scope="notes:read write", ${metadata}`,
    );
  });

  test("a refusal that no challenge helps has the headers of every refusal alone", async () => {
    const app = await createApp();
    const token = await app.token();
    const shared = ["access-control-expose-headers", "cache-control", "content-type", "vary"];
    const ofSession = await app.call({ token }, (here) => here.login());
    const forbidden = await app.call({ token }, (here) => here.require(() => false));
    for (const { status, headers } of [ofSession, forbidden]) {
      expect([status, [...headers.keys()]]).toEqual([403, shared]);
    }
  });

  test("a handler that asks for a sign-in, or refuses a caller itself, gets our response", async () => {
    const app = await createApp();
    const token = await app.token();
    const asked = await app.call({ token }, () => {
      throw new SignInRequired();
    });
    expect([asked.status, asked.challenge]).toEqual([401, bearer]);
    const refused = await app.call({ token }, () => {
      throw new Forbidden();
    });
    expect([refused.status, refused.body]).toEqual([
      403,
      { error: "ERR_FORBIDDEN", description: "The caller may not do this." },
    ]);
    await expect(
      app.call({ token }, () => {
        throw new Error("the app's own");
      }),
    ).rejects.toThrow("the app's own");
  });
});
