import { expect, test } from "vitest";

import type { JSONObject } from "./json-object.ts";
import { openJWE, parseJWE, sealJWE } from "./jwe.ts";
import { deriveContentKey } from "./key-ring.ts";

const secret = "vector-secret-0123456789abcdef0123456789";
const header = { uat: 1_700_000_000, iat: 1_700_000_000, exp: 1_700_086_400 };
const payload = '{"user":{"sub":"u1"}}';
const vector =
  "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwidWF0IjoxNzAwMDAwMDAwLCJpYXQiOjE3MDAwMDAwMDAsImV4cCI6MTcwMDA4NjQwMH0..AAECAwQFBgcICQoL.E0WHjvCwrpy3kxixGaZzT5ZMFrVv.acLtI8g2cy5jKAPtpibtBQ";
const vectorKey = "e8d1dd48ff35cdc3fbee413215e81079b75fb6ff0501cdf3402304f698b62643";

function keyOf(withSecret = secret, info = "JWE CEK") {
  return deriveContentKey(withSecret, info);
}

function seal(protectedHeader: JSONObject, text: string, iv?: Uint8Array): string {
  return sealJWE(keyOf(), protectedHeader, text, iv);
}

function open(value: string, key = keyOf()) {
  const parts = parseJWE(value);
  const text = parts === null ? null : openJWE(key, parts);
  return text === null ? null : { header: parts?.header, text };
}

function segment(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function withPart(value: string, index: number, part: string): string {
  return value
    .split(".")
    .map((each, at) => (at === index ? part : each))
    .join(".");
}

test("the published vector is made, to the letter", async () => {
  expect(
    seal(
      header,
      payload,
      Uint8Array.from({ length: 12 }, (_, i) => i),
    ),
  ).toBe(vector);
});

test("the published vector is read", async () => {
  expect(open(vector)).toEqual({
    header: { alg: "dir", enc: "A256GCM", ...header },
    text: payload,
  });
});

test("another secret, or the same secret for another purpose, opens nothing", async () => {
  const sealed = seal(header, payload);
  expect(open(sealed, keyOf(`${secret}x`))).toBeNull();
  expect(open(sealed, keyOf(secret, "latchkey transaction"))).toBeNull();
});

test("the id of a key is short, differs by purpose and is no part of the key", async () => {
  const id = keyOf().id;
  expect(id).toMatch(/^[\w-]{8}$/);
  expect(keyOf().id).toBe(id);
  expect(keyOf(secret, "latchkey transaction").id).not.toBe(id);
  expect(Buffer.from(vectorKey, "hex").includes(Buffer.from(id, "base64url"))).toBe(false);
});

test("a letter changed anywhere is noticed", async () => {
  for (let at = 0; at < vector.length; at += 1) {
    const other = vector[at] === "A" ? "B" : "A";
    const changed = vector.slice(0, at) + other + vector.slice(at + 1);
    expect(open(changed), `letter ${at}`).toBeNull();
  }
});

test("a value cut off anywhere is noticed", async () => {
  for (let length = 0; length < vector.length; length += 1) {
    expect(open(vector.slice(0, length)), `length ${length}`).toBeNull();
  }
});

test.each([
  ["no algorithm", 0, segment({ enc: "A256GCM" })],
  ["a list as header", 0, segment(["dir", "A256GCM"])],
  ["a header that is no JSON", 0, Buffer.from("{").toString("base64url")],
  ["an empty header", 0, ""],
  ["an encrypted key", 1, "AAAA"],
  ["a shorter initialization vector", 2, "AAECAwQFBgcI"],
  ["a longer initialization vector", 2, "AAECAwQFBgcICQoLDA0O"],
  ["a tag of 12 bytes", 4, "acLtI8g2cy5jKAPt"],
  ["a tag of 4 bytes", 4, "acLtIw"],
  ["no ciphertext", 3, ""],
  ["a ciphertext with padding", 3, "E0WHjvCwrpy3kxixGaZzT5ZMFrVv=="],
  ["a tag with stray bits at its end", 4, "acLtI8g2cy5jKAPtpibtBR"],
  ["white space", 3, " E0WHjvCwrpy3kxixGaZzT5ZMFrVv"],
  ["a letter with the lowest bits of the right one", 3, "\u01450WHjvCwrpy3kxixGaZzT5ZMFrVv"],
  ["such a letter in the header", 0, vector.slice(0, vector.indexOf(".")).replace("e", "\u0165")],
  ["one part more", 4, "acLtI8g2cy5jKAPtpibtBQ.x"],
])("%s is refused before anything is decrypted", async (_, index, part) => {
  expect(open(withPart(vector, index, part))).toBeNull();
});

test.each([
  { zip: "DEF" },
  { crit: ["x"], x: 1 },
  { crit: [] },
  { alg: "A256KW" },
  { alg: "RSA1_5" },
  { alg: "ECDH-ES", epk: { kty: "EC", crv: "P-256", x: "AA", y: "AA" } },
  { alg: "PBES2-HS256+A128KW", p2c: 1e9, p2s: "AAAA" },
  { enc: "A128GCM" },
  { enc: "A128CBC-HS256" },
])(
  "a value with %j in its header is refused, even if sealed with our key (RFC 8725, 3.6) [ATK-070, STD-084]",
  async (member) => {
    const sealed = seal({ ...header, ...member }, payload);
    expect(open(sealed)).toBeNull();
  },
);

test("a value longer than any browser carries is not looked at", async () => {
  const long = seal(header, "x".repeat(128 * 1024));
  expect(open(long)).toBeNull();
});
