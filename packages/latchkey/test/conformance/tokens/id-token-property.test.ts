import * as fc from "fast-check";
import { createHash, generateKeyPairSync, sign as signBytes } from "node:crypto";
import { expect, test } from "vitest";

import { Refusal } from "../../../src/errors/refusal.ts";
import { type Expected, verifyIDToken } from "../../../src/oidc/tokens/id-token.ts";
import { patience, runs } from "../../properties/runs.ts";
import { quickRelyingParty } from "../../worlds/quick-relying-party.ts";
import { isNumericDate, mostly, onTheWire } from "../world/odd-claims.ts";
import { type Members, quickClient } from "../../worlds/quick-provider.ts";

const now = 1_800_000_000;
const issuer = "https://op.example";
const client = quickClient.clientID;
const clock = () => now * 1000;

function seconds(...offsets: readonly number[]): readonly number[] {
  return offsets.map((offset) => now + offset);
}

const leftHalfHash = (value: string, hash: string) => {
  const digest = createHash(hash).update(value).digest();
  return digest.subarray(0, digest.length / 2).toString("base64url");
};

const odd = [Number.NaN, 1e300, -1, `${now}`, now + 0.5];

function claimsWith(hash: string): fc.Arbitrary<Members> {
  return fc.record({
    iss: mostly(issuer, `${issuer}/`, "https://OP.example", [issuer]),
    sub: mostly("person", "x".repeat(255), "x".repeat(256), 1),
    aud: fc.oneof(
      mostly(client, [client], `${client} `, [client, "trusted"], ["trusted"], [client, 1]),
      fc.constantFrom([client, client], [client, "stranger"], [[client]], { 0: client }),
    ),
    azp: fc.oneof(fc.constant(undefined), mostly(client, "stranger", "trusted")),
    exp: mostly(now + 300, ...odd, ...seconds(-61, -60, -59, 0)),
    nbf: fc.oneof(fc.constant(undefined), mostly(now, ...odd, ...seconds(59, 60, 61))),
    iat: mostly(now, ...odd, ...seconds(59, 60, 61, -659, -660, -661)),
    nonce: mostly("the-nonce", "another-nonce"),
    auth_time: mostly(now - 10, ...odd, ...seconds(-159, -160, -161, 0)),
    c_hash: mostly(leftHalfHash("the-code", hash), leftHalfHash("x", hash)),
    at_hash: mostly(leftHalfHash("the-access-token", hash), leftHalfHash("x", hash)),
    s_hash: mostly(leftHalfHash("the-state", hash), leftHalfHash("x", hash)),
    events: fc.oneof({ weight: 40, arbitrary: fc.constant(undefined) }, fc.constant({})),
  });
}

const expectations: fc.Arbitrary<Expected> = fc.record({
  nonce: fc.constantFrom("the-nonce", null),
  maxAge: fc.constantFrom(undefined, 0, 100),
  code: fc.constantFrom(undefined, "the-code"),
  accessToken: fc.constantFrom(undefined, "the-access-token"),
  state: fc.constantFrom(undefined, "the-state"),
  now: fc.constant(now),
});

/** A claim that is null counts as absent. */
function asRead(sent: Members): Members {
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null));
}

/** OpenID Connect Core 3.1.3.7 as one would read it aloud, from the other side than the engine. */
function mayPass(
  token: Members,
  expected: Expected,
  trusted: readonly string[],
  hash: string,
): boolean {
  const { iss, sub, aud, azp, exp, nbf, iat, nonce, auth_time: authTime } = token;
  if ("events" in token || iss !== issuer) return false;
  if (typeof sub !== "string" || sub.length === 0 || sub.length > 255) return false;
  const audiences: unknown[] = typeof aud === "string" ? [aud] : Array.isArray(aud) ? aud : [];
  const others = audiences.filter((each) => each !== client);
  if (audiences.length === others.length) return false;
  if (others.some((each) => typeof each !== "string" || !trusted.includes(each))) return false;
  if (others.length > 0 && azp !== client) return false;
  if (azp !== undefined && azp !== client) return false;
  if (!isNumericDate(exp) || now >= exp + 60) return false;
  if (nbf !== undefined && (!isNumericDate(nbf) || nbf > now + 60)) return false;
  if (!isNumericDate(iat) || iat > now + 60 || iat < now - 660) return false;
  if (expected.nonce !== null && nonce !== expected.nonce) return false;
  if (expected.maxAge !== undefined) {
    if (!isNumericDate(authTime) || now > authTime + expected.maxAge + 60) return false;
  }
  if (expected.code !== undefined && token["c_hash"] !== leftHalfHash(expected.code, hash))
    return false;
  for (const [name, value] of [
    ["at_hash", expected.accessToken],
    ["s_hash", expected.state],
  ] as const) {
    if (value !== undefined && name in token && token[name] !== leftHalfHash(value, hash))
      return false;
  }
  return true;
}

/** The provider signs with the client secret. */
function underHMAC() {
  const party = quickRelyingParty(clock);
  return { ...party, sign: (claims: Members) => party.quick.sign(claims) };
}

/** The provider signs with a key of its own, and one more audience is trusted. */
function underEdDSA() {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const keys = [{ ...publicKey.export({ format: "jwk" }), kid: "k", use: "sig" }];
  const settings = { idTokenSigningAlg: "EdDSA", trustedAudiences: ["trusted"] } as const;
  const party = quickRelyingParty(clock, settings);
  party.quick.answers.keys = () => Response.json({ keys });
  const part = (value: Members) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const sign = (claims: Members) => {
    const input = `${part({ alg: "EdDSA", kid: "k" })}.${part(claims)}`;
    return `${input}.${signBytes(null, Buffer.from(input), privateKey).toString("base64url")}`;
  };
  return { ...party, sign };
}

test.each([
  ["HMAC", underHMAC, "sha256"],
  ["EdDSA, with one more trusted audience,", underEdDSA, "sha512"],
] as const)(
  "an ID token under %s passes exactly when a plain reading of the standard lets it pass [REL-P06]",
  async (_, start, hash) => {
    const { connection, sign } = start();
    let passed = 0;
    await fc.assert(
      fc.asyncProperty(claimsWith(hash), expectations, async (claims, expected) => {
        const outcome = await verifyIDToken(connection, sign(claims), expected).then(
          () => true,
          (error: unknown) => {
            expect(error).toBeInstanceOf(Refusal);
            return false;
          },
        );
        passed += outcome ? 1 : 0;
        const trusted = connection.trustedAudiences;
        expect(outcome).toBe(mayPass(asRead(onTheWire(claims)), expected, trusted, hash));
      }),
      runs,
    );
    expect(passed).toBeGreaterThan(runs.numRuns / 10);
  },
  patience,
);
