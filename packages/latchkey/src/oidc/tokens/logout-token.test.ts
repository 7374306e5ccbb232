import { describe, expect, test } from "vitest";

import { quickClient } from "../../../test/worlds/quick-provider.ts";
import { quickRelyingParty } from "../../../test/worlds/quick-relying-party.ts";
import { verifyLogoutToken } from "./logout-token.ts";

const now = 1_800_000_000;
const { quick, connection } = quickRelyingParty(() => now * 1000);

const event = "http://schemas.openid.net/event/backchannel-logout";
const good = {
  iss: quick.issuer,
  aud: quickClient.clientID,
  iat: now,
  exp: now + 120,
  jti: "a-token",
  sid: "a-session",
  events: { [event]: {} },
};

function verify(changes: object, header?: object) {
  const token = quick.sign({ ...good, ...changes }, { alg: "HS256", ...header });
  return verifyLogoutToken(connection, token, () => now);
}

describe("a logout token names (Back-Channel Logout 1.0, 2.4)", () => {
  test.each([
    ["a session", { sid: "s" }, { sid: "s" }],
    ["a person", { sid: undefined, sub: "p" }, { sub: "p" }],
    ["a session and its person", { sid: "s", sub: "p" }, { sid: "s", sub: "p" }],
  ])("%s", async (_, named, target) => {
    const replayableUntil = now + 120 + 60 + 1;
    expect(await verify(named)).toEqual({
      ...target,
      jti: "a-token",
      issued: now,
      replayableUntil,
    });
  });
});

test.each([
  ["that lives longer", { exp: now + 1e6 }],
  ["without an expiry", { exp: undefined }],
])(
  "a logout token %s may be replayed for an hour and the tolerance [ATK-061, STD-115]",
  async (_, changes) => {
    expect(await verify(changes)).toHaveProperty("replayableUntil", now + 3600 + 60 + 1);
  },
);

test.each(["sub", "exp", "nbf", "azp"])("a null %s counts as absent", async (name) => {
  expect(await verify({ [name]: null }, { typ: null, kid: null })).toHaveProperty("sid", good.sid);
});

test.each([
  ["jti", "token_id"],
  ["iat", "token_issued_at"],
  ["events", "token_events"],
  ["sid", "token_subject"],
  ["nonce", "token_nonce"],
])("a null %s is refused: it is needed, or prohibited", async (name, reason) => {
  await expect(verify({ [name]: null })).rejects.toMatchObject({ reason, kind: "logout_token" });
});

test.each([undefined, "JWT", "logout+jwt", "application/LOGOUT+JWT"])(
  "a logout token may have the type %s",
  async (typ) => {
    expect(await verify({}, { typ })).toHaveProperty("jti");
  },
);

test.each([undefined, ""])("no logout token is refused as missing: %j", async (text) => {
  const verifying = verifyLogoutToken(connection, text, () => now);
  await expect(verifying).rejects.toMatchObject({ reason: "token_missing", kind: "logout_token" });
});

test.each([
  ["a critical header", {}, "token_malformed", { crit: ["b64"] }],
  ["a type of another token", {}, "token_malformed", { typ: "at+jwt" }],
  ["a type that is no text", {}, "token_malformed", { typ: 7 }],
  ["a type in a list", {}, "token_malformed", { typ: ["JWT"] }],
  ["a type that begins like ours", {}, "token_malformed", { typ: "logout+jwt-like" }],
  ["a type that ends like ours", {}, "token_malformed", { typ: "at+logout+jwt" }],
  ["another algorithm", {}, "token_algorithm", { alg: "HS512" }],
  ["another issuer", { iss: "https://evil.example" }, "token_issuer"],
  ["another audience", { aud: "another" }, "token_audience"],
  ["an age beyond an hour", { iat: now - 3661 }, "token_issued_at"],
  ["an expiry that has passed", { exp: now - 60 }, "token_expired"],
  ["a beginning that is to come", { nbf: now + 61 }, "token_not_yet_valid"],
  ["a beginning that is no number", { nbf: "0" }, "token_not_yet_valid"],
  ["no events", { events: undefined }, "token_events"],
  ["another event", { events: { other: {} } }, "token_events"],
  ["an event that is null", { events: { [event]: null } }, "token_events"],
  ["an event that is a list", { events: { [event]: [] } }, "token_events"],
  ["events in a list", { events: [{ [event]: {} }] }, "token_events"],
  ["a nonce", { nonce: null }, "token_nonce"],
  ["neither sid nor sub", { sid: undefined }, "token_subject"],
  ["an empty sid beside a sub", { sid: "", sub: "p" }, "token_subject"],
  ["a sub that is a number beside a sid", { sub: 7 }, "token_subject"],
  ["a sub beyond 1,024 characters", { sub: "x".repeat(1025) }, "token_subject"],
  ["no jti", { jti: undefined }, "token_id"],
  ["a jti beyond 1,024 characters", { jti: "x".repeat(1025) }, "token_id"],
] as const)(
  "a logout token with %s is refused for just that (Back-Channel Logout 1.0, 2.6)",
  async (_, changes, reason, header?: object) => {
    await expect(verify(changes, header)).rejects.toMatchObject({ reason, kind: "logout_token" });
  },
);

test("a logout token under a changed signature is refused", async () => {
  const token = quick.sign(good).replace(/.{5}$/, "AAAAA");
  await expect(verifyLogoutToken(connection, token, () => now)).rejects.toMatchObject({
    reason: "token_signature",
  });
});

test.each([
  [{ sid: undefined }, "neither sid nor sub"],
  [{ sid: "x".repeat(1025) }, "sid is a text of 1025 characters"],
  [{ nonce: null }, "null"],
  [{ nonce: "n" }, "a text"],
])("claims %j are refused with the kind of what came", async (claims, detail) => {
  const shown = expect.stringContaining(detail) as string;
  await expect(verify(claims)).rejects.toMatchObject({ detail: shown });
});

test("a logout token of a tenant that is not admitted is refused", async () => {
  const ofTenants = { ...connection, tenants: ["ours"] };
  const verifyFor = (tid: string) =>
    verifyLogoutToken(ofTenants, quick.sign({ ...good, tid }, { alg: "HS256" }), () => now);
  expect(await verifyFor("ours")).toHaveProperty("sid");
  await expect(verifyFor("theirs")).rejects.toMatchObject({ reason: "tenant_not_admitted" });
});
