import { CompactSign, exportJWK } from "jose";
import { describe, expect, test } from "vitest";

import {
  type ApiApp,
  claimsAt,
  createApiApp,
  refusalOf,
  startSeconds,
  statusOf,
} from "../../test/api/api-app.ts";
import { createTestIssuer, keyPair, type Members } from "../../test/api/issuer.ts";
import type { IssuerOptions } from "./settings.ts";

const b64 = (value: unknown) =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

describe("a token by RFC 9068 [AP-002]", () => {
  test.each(["at+jwt", "AT+JWT", "application/at+jwt"])(
    "of the type %s is accepted",
    async (typ) => {
      const app = await createApiApp();
      expect(await statusOf(app, await app.token({}, { typ }))).toBe(200);
    },
  );

  test.each([
    "jwt",
    "JWT",
    "logout+jwt",
    "dpop+jwt",
    "secevent+jwt",
    "token-introspection+jwt",
    "at+application/jwt",
    "",
  ])("of the type %j is refused [AP-004]", async (typ) => {
    const app = await createApiApp();
    expect(await refusalOf(app, {}, { typ })).toContain("header typ");
  });

  test.each([[["at+jwt"]], [7], [null], [{}]])("whose type is %j is refused", async (typ) => {
    const app = await createApiApp();
    const header = Buffer.from(JSON.stringify({ alg: "ES256", kid: "one", typ }));
    const rest = (await app.token()).replace(/^[^.]+/, "");
    expect(await statusOf(app, header.toString("base64url") + rest)).toBe(401);
  });

  test("without a type is refused", async () => {
    const app = await createApiApp();
    expect(await refusalOf(app, {}, { typ: undefined })).toContain("header typ nothing");
  });

  test.each(["aud", "iat", "jti", "client_id", "sub", "exp", "iss"])(
    "without %s is refused",
    async (name) => {
      const app = await createApiApp();
      expect(await refusalOf(app, { [name]: undefined })).toContain("invalid_token");
    },
  );

  test.each(["", 7, null, {}])("whose sub is %j is refused", async (sub) => {
    const app = await createApiApp();
    expect(await refusalOf(app, { sub })).toContain("names no subject");
  });

  test.each(["", 7, ["t1"]])("whose jti is %j is refused", async (jti) => {
    const app = await createApiApp();
    expect(await refusalOf(app, { jti })).toContain("no usable identifier");
  });
});

describe("the algorithm and the key [AP-005]", () => {
  test("an algorithm that is not listed is refused, even with a key of its own", async () => {
    const app = await createApiApp({ algorithms: ["RS256", "PS256"] });
    expect(await refusalOf(app, {})).toContain("alg: expected RS256 or PS256, got");
  });

  test("several algorithms may be listed", async () => {
    const app = await createApiApp({ algorithms: ["RS256", "ES256"] });
    const { publicKey, privateKey } = await keyPair("RS256");
    app.issuer.keys.push({ ...(await exportJWK(publicKey)), kid: "two", alg: "RS256" });
    expect(await statusOf(app, await app.token())).toBe(200);
    const rsa = await app.issuer.sign(app.goodClaims, { alg: "RS256", kid: "two" }, privateKey);
    expect(await statusOf(app, rsa)).toBe(200);
    const confused = await app.issuer.sign(
      app.goodClaims,
      { alg: "RS256", kid: "one" },
      privateKey,
    );
    expect(await statusOf(app, confused)).toBe(401);
  });

  test("by default RS256 is expected if ID tokens are signed with the client secret", async () => {
    const app = await createApiApp({}, { idTokenSigningAlg: "HS256" });
    expect(await refusalOf(app, {})).toContain("alg: expected RS256");
  });

  test("the public key as a shared secret is no key", async () => {
    const app = await createApiApp();
    const secret = new TextEncoder().encode(JSON.stringify(app.issuer.keys[0]).padEnd(64, "x"));
    const forged = await app.issuer.sign(app.goodClaims, { alg: "HS256" }, secret);
    expect(await statusOf(app, forged)).toBe(401);
  });

  test("a key in the header is not trusted, and nothing is fetched for it [AP-006]", async () => {
    const app = await createApiApp();
    const { privateKey, publicKey } = await keyPair("ES256", "mallory");
    const jwk = await exportJWK(publicKey);
    const jku = "https://mallory.example/keys";
    const header = { jwk, jku, x5u: jku, kid: "mallory" };
    const forged = await app.issuer.sign(app.goodClaims, header, privateKey);
    expect(await statusOf(app, forged)).toBe(401);
    expect(app.issuer.fetched.every((each) => each.startsWith(app.issuer.issuer))).toBe(true);
    const good = await app.token({}, { jku, x5u: jku });
    expect(await statusOf(app, good)).toBe(200);
  });

  test.each([
    ["for encryption", { use: "enc" }],
    ["for signing only", { key_ops: ["sign"] }],
    ["of another id", { kid: "two" }],
    ["of another algorithm", { alg: "ES384" }],
    ["of another issuer", { issuer: "https://other.example" }],
    ["of an issuer that is no text", { issuer: 7 }],
  ])("a key %s verifies nothing", async (_, members) => {
    const app = await createApiApp();
    Object.assign(app.issuer.keys[0] as object, members);
    expect(await refusalOf(app, {})).toContain("cannot be verified. key-unknown");
  });

  test("another key with the same id verifies nothing", async () => {
    const app = await createApiApp();
    const { privateKey } = await keyPair("ES256", "mallory");
    expect(await statusOf(app, await app.issuer.sign(app.goodClaims, {}, privateKey))).toBe(401);
  });

  test("a thousand unknown key ids cost one fetch in thirty seconds [AP-007]", async () => {
    const app = await createApiApp();
    expect(await statusOf(app, await app.token())).toBe(200);
    const keyFetches = () => app.issuer.fetched.filter((each) => each.endsWith("/keys")).length;
    const token = await app.token();
    const rest = token.slice(token.indexOf("."));
    const withKid = (kid: number) => b64({ alg: "ES256", kid: `k${kid}`, typ: "at+jwt" }) + rest;
    await Promise.all(Array.from({ length: 1000 }, (_, kid) => statusOf(app, withKid(kid))));
    expect(keyFetches()).toBe(2);
    app.clock.seconds = 30;
    expect(await statusOf(app, withKid(0))).toBe(401);
    expect(keyFetches()).toBe(3);
  });

  test("while the provider is down, a forged token with a known key id is refused, and is no outage", async () => {
    const app = await createApiApp();
    const { privateKey } = await keyPair("ES256", "mallory");
    const forged = (kid?: string) => app.issuer.sign(app.goodClaims, { kid }, privateKey);
    expect(await statusOf(app, await app.token())).toBe(200);
    app.issuer.answers.set("/keys", () => Promise.reject(new TypeError("down")));
    expect(await statusOf(app, await forged("one"))).toBe(401);
    expect(await statusOf(app, await app.token())).toBe(200);
    // Either may be signed with a new key that cannot be fetched now.
    expect(await statusOf(app, await forged("two"))).toBe(503);
    expect(await statusOf(app, await forged())).toBe(503);
  });

  test("old keys serve while the provider is down [AP-007]", async () => {
    const app = await createApiApp();
    expect(await statusOf(app, await app.token())).toBe(200);
    app.issuer.answers.set("/keys", () => Promise.reject(new TypeError("down")));
    app.clock.seconds = 80_000;
    const later = { iat: startSeconds + 79_000, exp: startSeconds + 90_000 };
    expect(await statusOf(app, await app.token(later))).toBe(200);
  });
});

describe("a malformed token is refused [AP-006]", () => {
  const good = async (app: ApiApp) => (await app.token()).split(".");
  test.each([
    ["with a critical extension", { alg: "ES256", kid: "one", typ: "at+jwt", crit: ["exp"] }],
    ["with an unencoded payload", { alg: "ES256", kid: "one", typ: "at+jwt", b64: true }],
    ["without an algorithm", { alg: "none", typ: "at+jwt" }],
    ["with a repeated name", '{"alg":"ES256","alg":"ES256","typ":"at+jwt"}'],
    ["with a key id that is no text", { alg: "ES256", kid: 1, typ: "at+jwt" }],
  ])("%s", async (_, header) => {
    const app = await createApiApp();
    const [, payload, signature] = await good(app);
    const { body } = await app.call({ token: [b64(header), payload, signature].join(".") });
    expect(body).toMatchObject({ description: "The access token is not a well-formed JWT." });
  });

  test.each([
    ["opaque", "it is opaque"],
    ["a.b.c.d.e", "it is encrypted"],
    ["a.b.c", "its header is not base64url"],
  ])("%s, and the log says what to do: %s [AP-012]", async (token, hint) => {
    const app = await createApiApp();
    await app.call({ token });
    expect(JSON.stringify(app.events)).toContain(hint);
  });

  test("whose payload repeats a name", async () => {
    const app = await createApiApp();
    const { privateKey } = await keyPair("ES256", app.issuer.issuer);
    const text = JSON.stringify(app.goodClaims).replace("{", '{"aud":"https://other.example",');
    const token = await new CompactSign(Buffer.from(text))
      .setProtectedHeader({ alg: "ES256", kid: "one", typ: "at+jwt" })
      .sign(privateKey);
    expect(await statusOf(app, token)).toBe(401);
  });
});

describe("several issuers [AP-009]", () => {
  const other = "https://other-op.example";
  const twoIssuers = async (options: Omit<IssuerOptions, "issuer"> = {}) => {
    const [one, two] = [await createTestIssuer(), await createTestIssuer(other)];
    const fetch = (address: string, init?: RequestInit) =>
      (address.startsWith(other) ? two : one).fetch(address, init);
    const issuers = [{ issuer: other, ...options }];
    const app = await createApiApp({ issuers }, { fetch }, one);
    const token = (claims: Members = {}, header: Members = {}) =>
      two.sign({ ...claimsAt(other), ...claims }, header);
    return { app, one, two, token };
  };

  test("each is verified by its own keys, also with one key id", async () => {
    const { app, one, two, token } = await twoIssuers();
    expect(await statusOf(app, await token())).toBe(200);
    expect(await statusOf(app, await app.token())).toBe(200);
    expect(await statusOf(app, await one.sign(claimsAt(other)))).toBe(401);
    expect(await statusOf(app, await two.sign(claimsAt(one.issuer)))).toBe(401);
  });

  test("each has its own audience, profile and algorithms", async () => {
    const own = { audience: "https://own.example", profile: "keycloak" } as const;
    const { app, token } = await twoIssuers(own);
    const claims = { aud: "https://own.example", typ: "Bearer" };
    expect(await statusOf(app, await token(claims, { typ: "JWT" }))).toBe(200);
    expect(await statusOf(app, await token({ typ: "Bearer" }, { typ: "JWT" }))).toBe(401);
    expect(await statusOf(app, await app.token({ aud: "https://own.example" }))).toBe(401);
  });

  test("an issuer that is not listed is refused before any key is fetched", async () => {
    const app = await createApiApp();
    expect(await refusalOf(app, { iss: other })).toContain("another issuer");
    await refusalOf(app, { iss: `${app.issuer.issuer}/` });
    await refusalOf(app, { iss: ["https://op.example"] });
    expect(app.issuer.fetched).toEqual([]);
  });
});
