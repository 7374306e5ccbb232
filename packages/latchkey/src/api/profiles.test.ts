import { describe, expect, test } from "vitest";

import { audience, createApiApp, refusalOf, statusOf } from "../../test/api/api-app.ts";
import { createTestIssuer, type Members } from "../../test/api/issuer.ts";
import { metadataOf } from "../../test/worlds/quick-provider.ts";
import type { ProfileName } from "./profiles.ts";
import type { ApiOptions } from "./settings.ts";

/** Tokens in the form of each provider, with what the guide says to set. */
const shapes: Readonly<
  Record<
    Exclude<ProfileName, "rfc9068">,
    { header: Members; claims: Members; options?: Partial<ApiOptions> }
  >
> = {
  entra: {
    header: { typ: "JWT" },
    claims: {
      azp: "robot",
      scp: "read write",
      oid: "o",
      tid: "t",
      ver: "2.0",
      uti: "u",
      scope: undefined,
      client_id: undefined,
      jti: undefined,
    },
  },
  auth0: {
    header: { typ: "JWT" },
    claims: {
      aud: [audience, "https://op.example/userinfo"],
      azp: "robot",
      client_id: undefined,
      jti: undefined,
    },
  },
  okta: {
    header: { typ: undefined },
    claims: {
      cid: "robot",
      scp: ["read", "write"],
      uid: "u",
      scope: undefined,
      client_id: undefined,
    },
  },
  keycloak: {
    header: { typ: "JWT" },
    claims: { typ: "Bearer", azp: "robot", realm_access: { roles: ["a"] }, client_id: undefined },
  },
  cognito: {
    header: { typ: undefined },
    claims: { aud: undefined, token_use: "access", username: "ada" },
    options: { clientIDs: ["robot"] },
  },
};

const ofIDToken = { client_id: undefined, scope: undefined, jti: undefined, aud: "client" };

/** ID tokens of each provider without a nonce, as after a refresh, that look most alike. */
const idTokens: Readonly<Partial<Record<ProfileName, Members>>> = {
  entra: { ...ofIDToken, roles: ["admin"], oid: "o", tid: "t", ver: "2.0", uti: "u", rh: "r" },
  auth0: { ...ofIDToken, aud: ["client", audience], azp: "client", sid: "s" },
  okta: { ...ofIDToken, amr: ["pwd"], idp: "i", ver: 1, jti: "ID.1" },
  keycloak: { ...ofIDToken, typ: "ID", azp: "client", sid: "s", acr: "1" },
  cognito: { ...ofIDToken, token_use: "id", "cognito:username": "ada", jti: "j" },
};

describe.each(Object.entries(shapes))(
  "the profile %s [AP-002]",
  (name, { header, claims, options }) => {
    const profile = name as ProfileName;

    test("accepts a token in the form of the provider", async () => {
      const app = await createApiApp({ profile, ...options });
      const { status, made } = await app.call(
        { token: await app.token(claims, header) },
        (here) => [here.client, here.scopes],
      );
      expect([status, made]).toEqual([200, ["robot", ["read", "write"]]]);
    });

    test("that strict RFC 9068 refuses", async () => {
      const app = await createApiApp();
      expect(await refusalOf(app, claims, header)).toContain("invalid_token");
    });

    test("refuses an ID token for this API [AP-004]", async () => {
      const app = await createApiApp({ profile, ...options });
      const idToken = { aud: audience, client_id: undefined, scope: undefined, jti: undefined };
      expect(await refusalOf(app, idToken, { typ: "JWT" })).toContain("invalid_token");
      expect(await refusalOf(app, { ...claims, nonce: "n" }, header)).toContain("invalid_token");
    });

    test("refuses an ID token for an API that shares its client with the sign-in [AP-004]", async () => {
      const forAPI = { ...options, profile, audience: ["client", audience] };
      const app = await createApiApp(forAPI);
      const refused = await refusalOf(app, idTokens[profile] ?? {}, { typ: "JWT" });
      expect(refused).toContain("This is no access token for this API.");
      const accessToken = { ...claims, ...(name === "cognito" ? {} : { aud: "client" }) };
      expect(await statusOf(app, await app.token(accessToken, header))).toBe(200);
    });

    test("needs iat, and aud unless clients take its place", async () => {
      const app = await createApiApp({ profile, ...options });
      expect(await refusalOf(app, { ...claims, iat: undefined }, header)).toContain("no iat");
      const withoutAudience = await app.token({ ...claims, aud: undefined }, header);
      expect(await statusOf(app, withoutAudience)).toBe(name === "cognito" ? 200 : 401);
      const otherAudience = await app.token({ ...claims, aud: "https://other.example" }, header);
      expect(await statusOf(app, otherAudience)).toBe(401);
    });

    test("refuses the type of another kind of token", async () => {
      const app = await createApiApp({ profile, ...options });
      expect(await refusalOf(app, claims, { typ: "logout+jwt" })).toContain("header typ");
    });
  },
);

describe("a token for another audience is refused with what to change at the provider [AP-012]", () => {
  test.each([
    ["entra", "00000003-0000-0000-c000-000000000000", "ask for a scope of this API, api://"],
    ["auth0", "https://op.example/userinfo", "ask for the audience of this API"],
    ["okta", "https://op.example", "tokens of Okta's org server are for Okta alone"],
    ["keycloak", "account", "add an audience mapper"],
  ] as const)("%s: %s", async (profile, aud, hint) => {
    const { claims, header } = shapes[profile];
    const app = await createApiApp({ profile });
    expect(await refusalOf(app, { ...claims, aud }, header)).toContain(`got "${aud}"; ${hint}`);
    const fresh = await createApiApp({ profile });
    const missing = await refusalOf(fresh, { ...claims, aud: undefined }, header);
    expect(missing).toContain(`it has none; ${hint}`);
  });

  test("for tokens by RFC 9068 the two audiences say enough", async () => {
    expect(await refusalOf(await createApiApp(), { aud: "other" })).toMatch(/got "other"$/);
    expect(await refusalOf(await createApiApp(), { aud: undefined })).toMatch(/it has none$/);
  });

  test("a token of Google is refused with the reason", async () => {
    const app = await createApiApp();
    expect(await statusOf(app, "ya29.a0AfH6SMBx")).toBe(401);
    expect(JSON.stringify(app.events)).toContain("for Google's own APIs");
  });
});

describe("Entra ID", () => {
  const entra = { profile: "entra" } as const;
  const { claims, header } = shapes.entra;

  test("an application has roles in place of scopes, and they are no scopes", async () => {
    const app = await createApiApp(entra);
    const token = await app.token({ ...claims, scp: undefined, roles: ["admin"] }, header);
    const { status, made } = await app.call({ token }, (here) => here.scopes);
    expect([status, made]).toEqual([200, []]);
    await refusalOf(app, { ...claims, scp: undefined, roles: "admin" }, header);
    await refusalOf(app, { ...claims, scp: 7 }, header);
  });

  test.each([
    [{ azp: undefined }, 401],
    [{ azp: undefined, roles: ["admin"] }, 401],
    [{ azp: undefined, appid: "robot" }, 200],
  ])("an access token names its client: %j is answered %i [AP-004]", async (members, status) => {
    const app = await createApiApp(entra);
    expect(await statusOf(app, await app.token({ ...claims, ...members }, header))).toBe(status);
  });

  test("a token of version 1, such as one for Graph, is refused with what to change [AP-012]", async () => {
    const app = await createApiApp(entra);
    const iss = "https://sts.windows.net/t/";
    expect(await refusalOf(app, { ...claims, iss }, header)).toMatch(
      /ask for a scope of this API, api:.* set requestedAccessTokenVersion to 2/,
    );
    const another = await createApiApp(entra);
    const refusal = await refusalOf(another, { ...claims, iss: "https://x.example" }, header);
    expect(refusal).not.toContain("requestedAccessTokenVersion");
  });

  test("tenant, issuer and the issuer of the key belong together [AP-009]", async () => {
    const tid = "11111111-2222-3333-4444-555555555555";
    const address = `https://login.microsoftonline.com/${tid}/v2.0`;
    const issuer = await createTestIssuer(address);
    const app = await createApiApp(entra, { issuerBaseURL: address }, issuer);
    Object.assign(issuer.keys[0] as object, {
      issuer: "https://login.microsoftonline.com/{tenantid}/v2.0",
    });
    expect(await statusOf(app, await app.token({ ...claims, tid }, header))).toBe(200);
    await refusalOf(app, { ...claims, tid: "other" }, header);
    await refusalOf(app, { ...claims, tid: undefined }, header);
    Object.assign(issuer.keys[0] as object, { issuer: undefined });
    const fresh = await createApiApp(entra, { issuerBaseURL: address }, issuer);
    expect(await refusalOf(fresh, { ...claims, tid: "other" }, header)).toContain("tid");
    expect(await refusalOf(fresh, { ...claims, tid: 7 }, header)).toContain("tid");
    expect(await statusOf(fresh, await fresh.token({ ...claims, tid: undefined }, header))).toBe(
      200,
    );
  });
});

describe("Entra ID with many tenants [AP-009]", () => {
  const { claims, header } = shapes.entra;
  const base = "https://op.example";
  const issuerOf = (tenant: string) => `${base}/${tenant}/v2.0`;

  /** The answer to a token, in an app whose provider publishes one issuer for many tenants. */
  async function statusFor(members: Members, tenants: readonly string[] = ["one", "two"]) {
    const issuerBaseURL = issuerOf("common");
    const app = await createApiApp({ profile: "entra" }, { tenants, issuerBaseURL });
    const issuer = issuerOf("{tenantid}");
    const published = { ...metadataOf(base), issuer };
    app.issuer.answers.set("/openid-configuration", () => Response.json(published));
    return statusOf(app, await app.token({ ...claims, ...members }, header));
  }

  test("a token of a listed tenant counts", async () => {
    expect(await statusFor({ iss: issuerOf("one"), tid: "one" })).toBe(200);
    expect(await statusFor({ iss: issuerOf("two"), tid: "two" })).toBe(200);
    expect(await statusFor({ iss: issuerOf("three"), tid: "three" }, ["any"])).toBe(200);
  });

  test.each([
    { iss: issuerOf("three"), tid: "three" },
    { iss: issuerOf("one"), tid: "two" },
    { iss: issuerOf("one"), tid: undefined },
    { iss: issuerOf("{tenantid}"), tid: "one" },
    { iss: issuerOf("common"), tid: "one" },
    { iss: "https://evil.example/one/v2.0", tid: "one" },
    { iss: [issuerOf("one")], tid: "one" },
    { iss: undefined, tid: "one" },
  ])("a token with %j is refused", async (members) => {
    expect(await statusFor(members)).toBe(401);
  });
});

describe("Auth0", () => {
  const { claims, header } = shapes.auth0;

  test.each([
    ["a scope", { aud: "client", scope: "" }, 200],
    ["permissions", { aud: "client", scope: undefined, permissions: [] }, 200],
    ["the grant type", { aud: "client", scope: undefined, gty: "client-credentials" }, 200],
    ["nothing granted", { aud: "client", scope: undefined }, 401],
    ["nothing granted, for the API alone", { aud: audience, scope: undefined }, 200],
    ["a scope and no client", { aud: "client", azp: undefined }, 401],
  ])("a token with %s is answered by its audience", async (_name, members, status) => {
    const app = await createApiApp({ profile: "auth0", audience: ["client", audience] });
    expect(await statusOf(app, await app.token({ ...claims, ...members }, header))).toBe(status);
  });
});

describe("Keycloak", () => {
  const { claims, header } = shapes.keycloak;
  test.each([[{ typ: undefined }], [{ typ: "DPoP" }], [{ typ: "bearer" }]])(
    "needs typ Bearer in the payload: %j is refused",
    async (members) => {
      const app = await createApiApp({ profile: "keycloak" });
      expect(await refusalOf(app, { ...claims, ...members }, header)).toContain("not the ID token");
    },
  );
});

describe("Cognito [AP-003]", () => {
  const { claims, header, options = {} } = shapes.cognito;
  const cognito: Partial<ApiOptions> = { profile: "cognito", ...options };

  test("a token without aud needs a listed client and token_use access", async () => {
    const app = await createApiApp(cognito);
    expect(await refusalOf(app, { ...claims, client_id: "other" }, header)).toContain(
      "not in api.clientIDs",
    );
    await refusalOf(app, { ...claims, token_use: undefined }, header);
    await refusalOf(app, { ...claims, client_id: undefined }, header);
  });

  test("a token with aud is judged by it", async () => {
    const app = await createApiApp(cognito);
    expect(await statusOf(app, await app.token({ ...claims, aud: audience }, header))).toBe(200);
    await refusalOf(app, { ...claims, aud: "https://other.example" }, header);
    await refusalOf(app, { ...claims, aud: null }, header);
  });
});
