import { describe, expect, test } from "vitest";

import { inForce } from "./in-force.ts";
import { keyIdIn, openText, sealJWE, sealText } from "./jwe.ts";
import { deriveKeyRing, keyRingInForce } from "./key-ring.ts";

const old = "old-secret-0123456789";
const middle = "middle-secret-012345";
const fresh = "fresh-secret-0123456";

const ringOf = (...secrets: string[]) => deriveKeyRing(secrets, "session");

describe("several secrets", () => {
  test("the first writes, all are tried [ATK-024, ASVS-11.2.2]", () => {
    const ring = ringOf(fresh, middle, old);
    for (const secret of [fresh, middle, old]) {
      const sealed = sealText(ringOf(secret), {}, "text");
      expect(openText(ring, sealed)).toMatchObject({ text: "text" });
    }
    const written = sealText(ring, {}, "text");
    expect(openText(ringOf(fresh), written)).toMatchObject({ text: "text" });
    expect(openText(ringOf(middle, old), written)).toBe("unknown-key");
  });

  test("a value without a key id, as other libraries write it, is tried with each key", () => {
    const ring = ringOf(fresh, middle, old);
    const sealed = sealJWE(ringOf(old).current, { uat: 1 }, "text");
    expect(openText(ring, sealed)).toMatchObject({ text: "text" });
  });

  test.each([1, null, "", "__proto__", "unknown", ["a"]])(
    "a value with the key id %j opens with no key",
    (kid) => {
      const ring = ringOf(fresh);
      expect(openText(ring, sealJWE(ring.current, { kid }, "text"))).toBe("unknown-key");
    },
  );
});

test.each([
  ["names another key of ours", "malformed", ringOf(fresh, old), { kid: ringOf(fresh).current.id }],
  ["names none, and no key opens", "unknown-key", ringOf(fresh), {}],
])("a value %s is %s", (_, reason, ring, header) => {
  expect(openText(ring, sealJWE(ringOf(old).current, header, "text"))).toBe(reason);
});

test.each([
  ["abcd-_12", "abcd-_12"],
  ["abcd-_123", undefined],
  ["abcd!_12", undefined],
  [12_345_678, undefined],
])("the key id %j in a text is read as %j", (kid, id) => {
  expect(keyIdIn(sealJWE(ringOf(fresh).current, { kid }, "text"))).toBe(id);
});

test("the id of a key is the same in every version: texts name it", () => {
  expect(ringOf(old).current.id).toBe("c3OeQaZm");
});

test("a text in another format than JWE is malformed and has no key id", () => {
  expect([openText(ringOf(fresh), "text"), keyIdIn("text")]).toEqual(["malformed", undefined]);
});

test("the current ring is derived once, and again after an exchange of secrets", () => {
  const secrets = inForce([old]);
  const ringInForce = keyRingInForce(secrets, "session");
  const first = ringInForce();
  expect(first.current.id).toBe(ringOf(old).current.id);
  expect(ringInForce()).toBe(first);
  secrets.replace([fresh]);
  expect(ringInForce().current.id).toBe(ringOf(fresh).current.id);
});

test("a ring without a secret cannot be made", () => {
  expect(() => ringOf()).toThrow("A key ring needs a secret");
});
