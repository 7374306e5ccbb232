import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";

import { quickClient } from "../../../test/worlds/quick-provider.ts";
import { quickRelyingParty } from "../../../test/worlds/quick-relying-party.ts";
import type { Connection } from "../connection.ts";
import type { KeySetVerifier } from "../issuer/key-set-verifier.ts";
import { type Expected, verifyIDToken } from "./id-token.ts";
import { leftHalfHash } from "./token-hash.ts";

const now = 1_800_000_000;
const us = quickClient.clientID;
const settings = { trustedAudiences: ["partner"] };
const { quick, connection } = quickRelyingParty(() => now * 1000, settings);

const expected: Expected = {
  nonce: "the-nonce",
  maxAge: 100,
  code: "the-code",
  state: "the-state",
  accessToken: "the-access-token",
  now,
};
const good = {
  ...quick.goodClaims("the-nonce"),
  auth_time: now,
  c_hash: leftHalfHash("the-code", "HS256"),
  s_hash: leftHalfHash("the-state", "HS256"),
  at_hash: leftHalfHash("the-access-token", "HS256"),
};

/** A connection whose issuer has the key of every token. */
function withAnyKey(changes: Partial<Connection>): Connection {
  const verifyAny: KeySetVerifier = async () => "verified";
  const issuer = { ...connection.issuer, verify: verifyAny };
  return { ...connection, idTokenSigningAlg: "RS256", issuer, ...changes };
}

function verify(changes: object, header?: object, more: Partial<Expected> = {}) {
  const token = quick.sign({ ...good, ...changes }, { alg: "HS256", ...header });
  return verifyIDToken(connection, token, { ...expected, ...more });
}

test("an ID token with valid claims returns them", async () => {
  expect(await verify({})).toEqual(good);
  expect(await verify({}, { typ: "application/jwt" })).toEqual(good);
  expect(await verify({}, { typ: "jwt" })).toEqual(good);
  expect(await verify({ nbf: now + connection.clockTolerance })).toHaveProperty("nbf");
  expect(await verify({ aud: [us] })).toHaveProperty("aud", [us]);
});

test.each([
  ["a type of another token", {}, "token_malformed", { typ: "logout+jwt" }],
  ["a type that is no text", {}, "token_malformed", { typ: ["JWT"] }],
  ["a type that begins like ours", {}, "token_malformed", { typ: "jwt-like" }],
  ["a type that ends like ours", {}, "token_malformed", { typ: "at+jwt" }],
  ["the algorithm none", {}, "token_malformed", { alg: "none" }],
  ["another algorithm", {}, "token_algorithm", { alg: "HS512" }],
  ["the events of a logout token", { events: {} }, "token_malformed"],
  ["another issuer", { iss: "https://evil.example" }, "token_issuer"],
  ["no subject", { sub: "" }, "token_subject"],
  ["a subject beyond 255 characters", { sub: "x".repeat(256) }, "token_subject"],
  ["another audience", { aud: "partner" }, "token_audience"],
  ["an untrusted audience beside us", { aud: [us, "stranger"], azp: us }, "token_audience"],
  [
    "a trusted audience that shares our HMAC secret",
    { aud: [us, "partner"], azp: us },
    "token_audience",
  ],
  ["another authorized party", { azp: "partner" }, "token_authorized_party"],
  ["an expiry that has passed", { exp: now - 60 }, "token_expired"],
  ["a beginning that is to come", { nbf: now + 61 }, "token_not_yet_valid"],
  ["a beginning that is no number", { nbf: "0" }, "token_not_yet_valid"],
  ["an age beyond ten minutes", { iat: now - 661 }, "token_issued_at"],
  ["another nonce", { nonce: "another" }, "token_nonce"],
  ["no nonce", { nonce: undefined }, "token_nonce"],
  ["a sign-in too long ago", { auth_time: now - 161 }, "token_auth_time"],
  ["a sign-in that is still to come", { auth_time: now + 61 }, "token_auth_time"],
  ["no auth_time", { auth_time: undefined }, "token_auth_time"],
  ["the hash of another code", { c_hash: good.s_hash }, "token_hash"],
  ["no hash of the code beside it", { c_hash: undefined }, "token_hash"],
  ["the hash of another state", { s_hash: good.c_hash }, "token_hash"],
  ["the hash of another access token", { at_hash: good.c_hash }, "token_hash"],
] as const)(
  "an ID token with %s is refused for just that (OpenID Connect Core 3.1.3.7)",
  async (_, changes, reason, header?: object) => {
    await expect(verify(changes, header)).rejects.toMatchObject({ reason, kind: "id_token" });
  },
);

test.each([
  ["azp", {}],
  ["nbf", {}],
  ["at_hash", {}],
  ["s_hash", {}],
  ["auth_time", { maxAge: undefined }],
  ["acr", {}],
  ["sid", {}],
  ["email_verified", {}],
] as const)("a null %s counts as absent", async (name, more) => {
  expect(await verify({ [name]: null }, { kid: null, typ: null }, more)).not.toHaveProperty(name);
});

test.each([
  ["iss", "token_issuer"],
  ["sub", "token_subject"],
  ["aud", "token_audience"],
  ["exp", "token_expired"],
  ["iat", "token_issued_at"],
  ["nonce", "token_nonce"],
  ["auth_time", "token_auth_time"],
  ["c_hash", "token_hash"],
  ["events", "token_malformed"],
] as const)("a null %s is refused: it is needed, or prohibited", async (name, reason) => {
  await expect(verify({ [name]: null })).rejects.toMatchObject({ reason, kind: "id_token" });
});

test("with several audiences a null azp is none", async () => {
  const withKeys = withAnyKey({ trustedAudiences: ["partner"] });
  const token = quick.sign({ ...good, aud: [us, "partner"], azp: null }, { alg: "RS256" });
  await expect(verifyIDToken(withKeys, token, expected)).rejects.toMatchObject({
    reason: "token_authorized_party",
  });
});

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const body = part(good);
test.each([
  [undefined, "it is missing"],
  ["", "it is an empty text"],
  ["opaque", "it is opaque: a signed token has three parts"],
  ["a.b", "it has 2 parts: a signed token has three"],
  ["a.b.c.d.e", "it is encrypted (five parts): a signed token has three"],
  [`*.${body}.c2ln`, "its header is not base64url"],
  [`${part({ alg: "RS256" })}..c2ln`, "its payload is not base64url"],
  [`${part([])}.${body}.c2ln`, "its header is not a JSON object: it is an empty list"],
  [`${part({ alg: "RS256" })}.${part("x")}.c2ln`, "its payload is not a JSON object: it is a text"],
  [`${part({})}.${body}.c2ln`, "alg is missing, not a text"],
  [`${part({ alg: "none" })}.${body}.c2ln`, 'alg is "none"'],
  [`${part({ alg: "RS256", kid: 7 })}.${body}.c2ln`, "kid is a number, not a text"],
  [`${part({ alg: "RS256", crit: null })}.${body}.c2ln`, "its header has crit"],
  [`${part({ alg: "RS256" })}.${body}.`, "it is not signed"],
  [`${part({ alg: "RS256" })}.${body}.c2ln\n`, "its signature is not base64url"],
])("a malformed ID token is logged with the rule it breaks: %j", async (token, detail) => {
  await expect(verifyIDToken(connection, token, expected)).rejects.toMatchObject({
    reason: "token_malformed",
    detail,
  });
});

test.each([
  [{ events: null }, "it has events (null), as a logout token"],
  [{ events: {} }, "it has events (an object), as a logout token"],
  [{ nonce: ["the-nonce"] }, "nonce is a list, not a text"],
  [{ nonce: "another" }, "another nonce"],
])("claims %j are refused with the kind of what came", async (claims, detail) => {
  await expect(verify(claims)).rejects.toMatchObject({ detail });
});

test.each([
  [{ sub: 7 }, "expected a text of 1 to 255 characters, sub is a number"],
  [{ sub: "" }, "expected a text of 1 to 255 characters, sub is an empty text of 0 characters"],
  [
    { sub: "x".repeat(256) },
    "expected a text of 1 to 255 characters, sub is a text of 256 characters",
  ],
  [{ c_hash: undefined }, "c_hash: expected the hash under HS256, got missing"],
  [{ at_hash: 7 }, "at_hash: expected the hash under HS256, got a number"],
  [{ s_hash: "x" }, "s_hash: expected the hash under HS256, got another hash"],
  [{ at_hash: "x" }, "at_hash: expected the hash under HS256, got another hash"],
])("a refused claim is logged with its kind: %j", async (changes, detail) => {
  await expect(verify(changes)).rejects.toMatchObject({ detail });
});

test.each([
  { iat: String(now) },
  { iat: now * 1000 },
  { iat: null },
  { iat: undefined },
  { iat: 0 },
  { iat: [now] },
  { exp: "never" },
  { exp: null },
  { exp: 0 },
  { nbf: "0" },
  { nbf: now * 1000 },
])("a time of a wrong type is no fault of a clock: %j", async (changes) => {
  await expect(verify(changes)).rejects.toMatchObject({
    page: "not-confirmed",
    suspect: expect.stringContaining("a time is a number of seconds"),
  });
});

test.each([{ iat: now - 661 }, { iat: now + 61 }, { exp: now - 60 }, { nbf: now + 86_400 }])(
  "a time near the present is one: %j",
  async (changes) => {
    await expect(verify(changes)).rejects.toMatchObject({ page: undefined, suspect: undefined });
  },
);

test.each(["", us, "another secret"])(
  "an ID token signed with %j instead of our secret is refused [ATK-071]",
  async (key) => {
    const input = quick.sign(good).replace(/\.[^.]*$/, "");
    const token = `${input}.${createHmac("sha256", key).update(input).digest("base64url")}`;
    await expect(verifyIDToken(connection, token, expected)).rejects.toMatchObject({
      reason: "token_signature",
    });
  },
);

test("what did not come beside an ID token is not looked for in it", async () => {
  const bare = { c_hash: 1, s_hash: 1, at_hash: 1, nonce: undefined, auth_time: undefined };
  const absent = { code: undefined, state: undefined, accessToken: undefined, maxAge: undefined };
  expect(await verify(bare, {}, { ...absent, nonce: null })).toHaveProperty("sub");
  expect(await verify({ s_hash: undefined, at_hash: undefined })).toHaveProperty("sub");
});

test("a sign-in exactly as old as max_age and the tolerated difference allow is recent enough", async () => {
  const { clockTolerance } = connection;
  expect(await verify({ auth_time: now - 100 - clockTolerance })).toHaveProperty("sub");
});

describe("several audiences under a key of the provider (OpenID Connect Core 3.1.3.7)", () => {
  const withKeys = withAnyKey({ trustedAudiences: ["partner", "another"] });
  const verifyWithKeys = (changes: object) =>
    verifyIDToken(withKeys, quick.sign({ ...good, ...changes }, { alg: "RS256" }), {
      nonce: "the-nonce",
      now,
    });

  test("accepts a trusted audience beside us if the token was issued for us", async () => {
    expect(await verifyWithKeys({ aud: [us, "partner"], azp: us })).toHaveProperty("sub");
  });

  test.each([
    ["one that nobody trusts", { aud: [us, "stranger"], azp: us }, "token_audience"],
    ["no authorized party", { aud: [us, "partner"] }, "token_authorized_party"],
    ["another party", { aud: [us, "partner"], azp: "partner" }, "token_authorized_party"],
  ])("a token with %s is refused", async (_, changes, reason) => {
    await expect(verifyWithKeys(changes)).rejects.toMatchObject({ reason, kind: "id_token" });
  });
});

test("an ID token of a tenant that is not admitted, or of none, is refused", async () => {
  const ofTenants = { ...connection, tenants: ["ours"] };
  const verifyFor = (more: object) =>
    verifyIDToken(ofTenants, quick.sign({ ...good, ...more }, { alg: "HS256" }), expected);
  expect(await verifyFor({ tid: "OURS" })).toHaveProperty("tid");
  for (const more of [{ tid: "theirs" }, { tid: ["ours"] }, {}]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await expect(verifyFor(more)).rejects.toMatchObject({ reason: "tenant_not_admitted" });
  }
});
