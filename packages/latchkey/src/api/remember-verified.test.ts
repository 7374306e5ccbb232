import { expect, test } from "vitest";

import { type CompactJWS, readCompactJWS } from "../crypto/compact-jws.ts";
import { createTestIssuer } from "../../test/api/issuer.ts";
import type { Verdict } from "../oidc/tokens/verify-signature.ts";
import { rememberVerified } from "./remember-verified.ts";

/** A verifier with a fixed verdict, and the tokens that reached it. */
async function setUp(verdict: Verdict = "verified") {
  const issuer = await createTestIssuer();
  const reached: string[] = [];
  const clock = { ms: 1_800_000_000_000 };
  const verify = rememberVerified(
    async ({ token }) => {
      reached.push(token);
      return verdict;
    },
    () => clock.ms,
  );
  const sign = async (sub: string) => readCompactJWS(await issuer.sign({ sub }, {})) as CompactJWS;
  return { reached, clock, sign, verify };
}

test("a token is verified once a minute", async () => {
  const { reached, clock, sign, verify } = await setUp();
  const jws = await sign("ada");
  expect([await verify(jws), await verify(jws)]).toEqual(["verified", "verified"]);
  expect(reached).toHaveLength(1);
  clock.ms += 60_000;
  await verify(jws);
  expect(reached).toHaveLength(2);
});

test("a token with the signature of a verified one is verified", async () => {
  const { reached, sign, verify } = await setUp();
  const [good, other] = [await sign("ada"), await sign("ben")];
  await verify(good);
  const text = [...other.token.split(".").slice(0, 2), good.token.split(".")[2]].join(".");
  await verify(readCompactJWS(text) as CompactJWS);
  expect(reached).toEqual([good.token, text]);
});

test.each(["forged", "key-unknown"] as const)(
  "the verdict %s is not remembered",
  async (verdict) => {
    const { reached, sign, verify } = await setUp(verdict);
    const jws = await sign("ada");
    expect([await verify(jws), await verify(jws)]).toEqual([verdict, verdict]);
    expect(reached).toHaveLength(2);
  },
);
