import { describe, expect, test } from "vitest";

import {
  audience,
  createApiApp,
  refusalOf,
  startSeconds,
  statusOf,
} from "../../test/api/api-app.ts";
import type { Members } from "../../test/api/issuer.ts";

describe("the audience [AP-001]", () => {
  test.each([[audience], [[audience]], [["https://other.example", audience]]])(
    "%j names this API",
    async (aud) => {
      const app = await createApiApp();
      expect(await statusOf(app, await app.token({ aud }))).toBe(200);
    },
  );

  test.each([
    "https://other.example",
    `${audience}/`,
    [],
    [[audience]],
    [audience, 7],
    [audience, null],
    { 0: audience },
    7,
    null,
    "client",
    [7],
  ])("%j does not", async (aud) => {
    const app = await createApiApp();
    expect(await refusalOf(app, { aud })).toContain("another audience");
  });

  test("may be one of several", async () => {
    const app = await createApiApp({ audience: ["https://new.example", audience] });
    expect(await statusOf(app, await app.token())).toBe(200);
    expect(await refusalOf(app, { aud: "x" })).toContain(`https://new.example or ${audience}`);
  });
});

describe("the times [AP-008]", () => {
  const now = startSeconds;
  test.each([
    [{ exp: now - 29 }, 200],
    [{ exp: now - 30 }, 401],
    [{ exp: now + 1 }, 200],
    [{ exp: String(now + 300) }, 401],
    [{ exp: null }, 401],
    [{ exp: -1 }, 401],
    [{ exp: 1e12 }, 401],
    [{ nbf: now + 30 }, 200],
    [{ nbf: now + 31 }, 401],
    [{ nbf: "now" }, 401],
    [{ iat: now + 30 }, 200],
    [{ iat: now + 31 }, 401],
    [{ iat: "now" }, 401],
    [{ iat: 0 }, 200],
  ])("%j is answered %i", async (claims, status) => {
    const app = await createApiApp();
    expect(await statusOf(app, await app.token(claims))).toBe(status);
  });
});

describe("another kind of token is refused, although the right key signed it [AP-004]", () => {
  test.each([
    ["an ID token", { nonce: "n" }],
    ["an ID token of the front channel", { at_hash: "h" }],
    ["an ID token with a code", { c_hash: "h" }],
    ["an ID token with a state", { s_hash: "h" }],
    ["a logout token", { events: {} }],
    ["an introspection response", { token_introspection: {} }],
    ["an ID token of Keycloak", { typ: "ID" }],
    ["an ID token in other letters", { typ: "id" }],
    ["a refresh token of Keycloak", { typ: "Refresh" }],
    ["an offline token of Keycloak", { typ: "Offline" }],
    ["a logout token of Keycloak", { typ: "Logout" }],
    ["an ID token of Cognito", { token_use: "id" }],
    ["a token of another use", { token_use: "refresh" }],
  ])("%s", async (_, claims) => {
    const app = await createApiApp();
    expect(await refusalOf(app, claims)).toContain("no access token for this API");
  });

  test.each(["access", "access_token"])("token_use %s is no other kind", async (use) => {
    const app = await createApiApp();
    expect(await statusOf(app, await app.token({ token_use: use }))).toBe(200);
  });
});

describe("scope and client have several names [AP-010]", () => {
  test.each<[Members, readonly string[]]>([
    [{ scope: "a b" }, ["a", "b"]],
    [{ scope: " a  b " }, ["a", "b"]],
    [{ scope: "" }, []],
    [{ scope: undefined }, []],
    [{ scope: undefined, scp: "a b" }, ["a", "b"]],
    [{ scope: undefined, scp: ["a", "b"] }, ["a", "b"]],
    [{ scope: "a b", scp: ["b", "a"] }, ["a", "b"]],
    [{ scope: ["a", "b"] }, ["a", "b"]],
    [{ scope: ["b", "a"], scp: "a b" }, ["b", "a"]],
    [{ scope: [] }, []],
    [{ scope: null }, []],
    [{ scope: null, scp: ["a"] }, ["a"]],
  ])("%j grants %j", async (claims, scopes) => {
    const app = await createApiApp();
    const { made } = await app.call({ token: await app.token(claims) }, (here) => here.scopes);
    expect(made).toEqual(scopes);
  });

  test.each([
    { scope: ["a b"] },
    { scope: ["a", "b\tc"] },
    { scope: ["a", ""] },
    { scope: ["a", 7] },
    { scope: ["a", null] },
    { scope: [["a"]] },
    { scope: { a: true } },
    { scope: true },
    { scope: 7 },
    { scope: undefined, scp: ["a b"] },
    { scope: ["a"], scp: "a b" },
    { scope: undefined, scp: 7 },
    { scope: undefined, scp: ["a", 7] },
    { scope: "a", scp: "b" },
  ])("the scope of %j cannot be read", async (claims) => {
    const app = await createApiApp();
    expect(await refusalOf(app, claims)).toContain("scope of the access token cannot be read");
  });

  test.each<[Members, string]>([
    [{ azp: "robot" }, "robot"],
    [{ client_id: "robot", cid: "robot", appid: "robot" }, "robot"],
  ])("%j names the client %s", async (claims, client) => {
    const app = await createApiApp();
    const { made } = await app.call({ token: await app.token(claims) }, (here) => here.client);
    expect(made).toBe(client);
  });

  test.each(["azp", "appid", "cid"])("%s that differs from client_id is refused", async (name) => {
    const app = await createApiApp();
    expect(await refusalOf(app, { [name]: "other" })).toContain("names several clients");
  });

  test.each(["", 7, ["robot"]])("a client of %j is refused", async (client) => {
    const app = await createApiApp();
    expect(await refusalOf(app, { azp: client })).toContain("names no client");
  });
});

describe("a token that is bound to a key is refused without a proof [AP-031]", () => {
  test.each([
    [{ "x5t#S256": "abc" }],
    [{ jkt: "abc", "x5t#S256": "abc" }],
    [{ jkt: "abc", other: 1 }],
    [{ jkt: 7 }],
    [{ jkt: "" }],
    [{}],
    [false],
    ["abc"],
    [[]],
  ])("cnf %j cannot be checked", async (cnf) => {
    const app = await createApiApp();
    expect(await refusalOf(app, { cnf })).toContain("bound in a way that is not checked here");
  });
});

describe("null in an optional member is absent", () => {
  test.each<[Members]>([
    [{ cnf: null }],
    [{ nbf: null }],
    [{ azp: null, cid: null, appid: null }],
    [{ auth_time: null, acr: null }],
    [{ token_use: null, typ: null }],
  ])("%j changes nothing", async (claims) => {
    const app = await createApiApp();
    expect(await statusOf(app, await app.token(claims))).toBe(200);
  });

  test.each(["iss", "aud", "exp", "iat", "jti", "client_id", "sub"])(
    "%s is needed, so null is refused",
    async (name) => {
      const app = await createApiApp();
      expect(await statusOf(app, await app.token({ [name]: null }))).toBe(401);
    },
  );

  test.each(["nonce", "at_hash", "c_hash", "events"])(
    "%s makes it another kind of token, so null is refused",
    async (name) => {
      const app = await createApiApp();
      expect(await statusOf(app, await app.token({ [name]: null }))).toBe(401);
    },
  );

  test("it is no binding that a proof could be about", async () => {
    const app = await createApiApp();
    const authorization = `DPoP ${await app.token({ cnf: null })}`;
    expect(await app.call({ headers: { authorization } })).toMatchObject({ status: 401 });
  });

  test("a Keycloak token of type DPoP needs its binding", async () => {
    const app = await createApiApp({ profile: "keycloak" });
    const token = await app.token({ typ: "DPoP", cnf: null }, { typ: "JWT" });
    expect(await statusOf(app, token)).toBe(401);
  });
});
