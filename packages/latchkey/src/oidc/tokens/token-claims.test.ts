import { describe, expect, test } from "vitest";

import { type Fault, textOf } from "../../errors/reasons.ts";
import { Refusal } from "../../errors/refusal.ts";
import type { TokenKind } from "../../errors/token-reasons.ts";
import { type Check, runChecks } from "../checks/check.ts";
import {
  audienceCheck,
  expiryCheck,
  isName,
  issuedAtCheck,
  issuerCheck,
  notBeforeCheck,
  readProviderToken,
  type TokenFacts,
} from "./token-claims.ts";

const kinds = ["id_token", "logout_token", "userinfo_token"] as const;

type Facts = Omit<TokenFacts, "token">;

const facts: Omit<Facts, "claims"> = {
  client: {
    clientID: "me",
    trustedAudiences: [],
    idTokenSigningAlg: "RS256",
    tenants: undefined,
  },
  issuer: "https://op.example",
  time: { now: 1000, clockTolerance: 60 },
};

/** Runs one check of claims. */
function run(check: Check<Facts>, claims: Facts["claims"], kind: TokenKind = "id_token"): void {
  runChecks({ title: "A token", kind, checks: [check] }, { ...facts, claims });
}

function faultOf(act: () => unknown): Fault | null {
  try {
    act();
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.fault;
    throw error;
  }
}

test.each([
  ["id_token", "The ID token is not a well-formed JWT."],
  ["logout_token", "The logout token is not a well-formed JWT."],
  ["userinfo_token", "The userinfo JWT is not a well-formed JWT."],
] as const)("a malformed %s is refused under its own name", (kind, text) => {
  const fault = faultOf(() => readProviderToken(kind, "a.b.c"));
  expect(fault).toEqual({ reason: "token_malformed", kind });
  expect(textOf("token_malformed", kind)).toBe(text);
});

describe.each(kinds)("an %s", (kind) => {
  const faultIn = (check: Check<Facts>, claims: Facts["claims"]) =>
    faultOf(() => run(check, claims, kind));

  test("is taken from the issuer, and from no other (OpenID Connect Core 3.1.3.7, step 2)", () => {
    expect(faultIn(issuerCheck, { iss: facts.issuer })).toBeNull();
    const others = [`${facts.issuer}/`, "https://OP.example", [facts.issuer]];
    for (const iss of [undefined, null, ...others]) {
      expect([iss, faultIn(issuerCheck, { iss })]).toEqual([iss, { reason: "token_issuer", kind }]);
    }
  });

  test("of many tenants is taken from the issuer of its tenant, and from none without one", () => {
    const issuer = "https://op.example/{tenantid}/v2.0";
    const reasonOf = (claims: Facts["claims"]) =>
      faultOf(() =>
        runChecks({ title: "A token", kind, checks: [issuerCheck] }, { ...facts, issuer, claims }),
      );
    expect(reasonOf({ iss: "https://op.example/one/v2.0", tid: "one" })).toBeNull();
    for (const claims of [
      { iss: "https://op.example/one/v2.0", tid: "two" },
      { iss: issuer, tid: null },
      { iss: null, tid: null },
    ]) {
      expect([claims, reasonOf(claims)]).toEqual([claims, { reason: "token_issuer", kind }]);
    }
  });

  test("is taken for this client, and for no other (OpenID Connect Core 3.1.3.7, step 3)", () => {
    for (const aud of ["me", ["me"], ["other", "me"]])
      expect([aud, faultIn(audienceCheck, { aud })]).toEqual([aud, null]);
    for (const aud of [undefined, "me ", "some-me", [], ["other"], [["me"]], { 0: "me" }, null]) {
      const refused = [aud, { reason: "token_audience", kind }];
      expect([aud, faultIn(audienceCheck, { aud })]).toEqual(refused);
    }
  });
});

describe("a token of the second 1000", () => {
  const odd = [undefined, null, "1000", Number.NaN, 1e300, -1, [1000]];
  const kind = "id_token";

  test("is taken until it has expired, and the tolerance with it (RFC 7519, 4.1.4)", () => {
    const check = (exp: unknown) => faultOf(() => run(expiryCheck, { exp }));
    for (const exp of [941, 941.5, 1e10]) expect([exp, check(exp)]).toEqual([exp, null]);
    for (const exp of [940, 0, ...odd])
      expect([exp, check(exp)]).toEqual([exp, { reason: "token_expired", kind }]);
  });

  test("is taken when it has begun, if it has a beginning (RFC 7519, 4.1.5)", () => {
    const check = (nbf: unknown) => faultOf(() => run(notBeforeCheck, { nbf }));
    for (const nbf of [undefined, 0, 1060]) expect([nbf, check(nbf)]).toEqual([nbf, null]);
    for (const nbf of [1061, ...odd.slice(1)])
      expect([nbf, check(nbf)]).toEqual([nbf, { reason: "token_not_yet_valid", kind }]);
  });

  test("is taken when it was made not too long ago and not in the future (OpenID Connect Core 3.1.3.7, step 10)", () => {
    const check = (iat: unknown) => faultOf(() => run(issuedAtCheck(600), { iat }));
    for (const iat of [340, 1000, 1060]) expect([iat, check(iat)]).toEqual([iat, null]);
    for (const iat of [339, 1061, ...odd]) {
      expect([iat, check(iat)]).toEqual([iat, { reason: "token_issued_at", kind }]);
    }
  });
});

test("a refusal has the expected and the received value, on one line", () => {
  expect(() => run(issuerCheck, { iss: "https://evil\n.example" })).toThrow(
    expect.objectContaining({
      detail: String.raw`expected https://op.example, got "https://evil\n.example"`,
    }) as Error,
  );
});

test.each([
  [1400, "1400, 400 s later"],
  [200, "200, 800 s earlier"],
  ["1000", '"1000"'],
  [undefined, "nothing"],
])(
  "a refused token of the moment %j is logged with its time and the difference of the clocks",
  (iat, told) => {
    expect(() => run(issuedAtCheck(600), { iat })).toThrow(
      expect.objectContaining({ detail: `expected iat near 1000, got ${told}` }) as Error,
    );
  },
);

test("an identifier is text, neither empty nor too long", () => {
  expect(["a", "abc"].map((value) => isName(value, 3))).toEqual([true, true]);
  const none = ["", "abcd", 1, null, undefined, ["a"], { length: 1 }];
  expect(none.filter((value) => isName(value, 3))).toEqual([]);
});
