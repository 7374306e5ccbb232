import { generateKeyPairSync } from "node:crypto";
import { calculateJwkThumbprint } from "jose";
import { expect, test } from "vitest";

import { thumbprintOf } from "./thumbprint.ts";

const n =
  "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw";

test.each([
  [
    "an RSA key, whose other members do not count (RFC 7638, 3.1)",
    { kty: "RSA", n, e: "AQAB", alg: "RS256", kid: "2011-04-29" },
    "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs",
  ],
  [
    "a key of Ed25519 (RFC 8037, A.3)",
    { kty: "OKP", crv: "Ed25519", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" },
    "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
  ],
])("the thumbprint of %s is the one of the standard", (_, jwk, thumbprint) => {
  expect(thumbprintOf(jwk)).toBe(thumbprint);
});

test("the thumbprint of an EC key is the one of a library", async () => {
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const jwk = publicKey.export({ format: "jwk" });
  expect(thumbprintOf({ ...jwk })).toBe(await calculateJwkThumbprint(jwk));
});

test.each([
  {},
  { kty: "oct", k: "AAAA" },
  { kty: "RSA", n },
  { kty: "EC", crv: "P-256", x: "AA" },
  { kty: "OKP", crv: "Ed25519", x: "" },
  { kty: "OKP", crv: "Ed25519", x: 7 },
])("%j has no thumbprint, since it is no public key", (jwk) => {
  expect(thumbprintOf(jwk)).toBeNull();
});
