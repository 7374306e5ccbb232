import { describe, expect, test } from "vitest";

import { openText, sealJWE, sealText } from "./jwe.ts";
import { deriveKeyRing } from "./key-ring.ts";

const old = "old-secret-0123456789";
const middle = "middle-secret-012345";
const fresh = "fresh-secret-0123456";

const ringOf = (...secrets: string[]) => deriveKeyRing(secrets, "session");

describe("several secrets", () => {
  test("the first writes, all are tried", () => {
    const ring = ringOf(fresh, middle, old);
    for (const secret of [fresh, middle, old]) {
      const sealed = sealText(ringOf(secret), {}, "text");
      expect(openText(ring, sealed)).toMatchObject({ text: "text" });
    }
    const written = sealText(ring, {}, "text");
    expect(openText(ringOf(fresh), written)).toMatchObject({ text: "text" });
    expect(openText(ringOf(middle, old), written)).toBe("unknown-key");
  });

  test("a value that names no key, as other libraries write it, is tried with each", () => {
    const ring = ringOf(fresh, middle, old);
    const sealed = sealJWE(ringOf(old).current, { uat: 1 }, "text");
    expect(openText(ring, sealed)).toMatchObject({ text: "text" });
  });

  test.each([1, null, "", "__proto__", "unknown", ["a"]])(
    "a value that names the key %j opens with none",
    (kid) => {
      const ring = ringOf(fresh);
      expect(openText(ring, sealJWE(ring.current, { kid }, "text"))).toBe("unknown-key");
    },
  );
});

test("a text that was changed after it was sealed is malformed, whichever part was changed", () => {
  const ring = ringOf(fresh);
  const parts = sealText(ring, {}, "text").split(".");
  for (const at of [2, 3, 4]) {
    const changed = parts.map((part, place) => (place === at ? flipped(part) : part)).join(".");
    expect(openText(ring, changed)).toBe("malformed");
  }
});

function flipped(part: string): string {
  return (part.startsWith("A") ? "B" : "A") + part.slice(1);
}

test("a ring without a secret cannot be made", () => {
  expect(() => ringOf()).toThrow("A key ring needs a secret");
});
