import { sealJWE } from "#jwe";
import { describe, expect, test } from "vitest";

import { deriveKeyRing } from "./keys.ts";
import { openText, sealText } from "./sealed-text.ts";

const old = "old-secret-0123456789";
const middle = "middle-secret-012345";
const fresh = "fresh-secret-0123456";

async function ringOf(...secrets: string[]) {
  return deriveKeyRing(secrets, "session");
}

describe("several secrets", () => {
  test("the first writes, all are tried", async () => {
    const ring = await ringOf(fresh, middle, old);
    for (const secret of [fresh, middle, old]) {
      const sealed = await sealText(await ringOf(secret), {}, "text");
      expect((await openText(ring, sealed))?.text).toBe("text");
    }
    const written = await sealText(ring, {}, "text");
    expect((await openText(await ringOf(fresh), written))?.text).toBe("text");
    expect(await openText(await ringOf(middle, old), written)).toBeNull();
  });

  test("a value that names no key, as other libraries write it, is tried with each", async () => {
    const ring = await ringOf(fresh, middle, old);
    const sealed = await sealJWE((await ringOf(old)).current, { uat: 1 }, "text");
    expect((await openText(ring, sealed))?.header["kid"]).toBeUndefined();
    expect((await openText(ring, sealed))?.text).toBe("text");
  });

  test("a value sealed with a secret that was taken away opens no more [ATK-118]", async () => {
    const sealed = await sealText(await ringOf(old), {}, "text");
    expect(await openText(await ringOf(fresh), sealed)).toBeNull();
  });

  test.each([1, null, "", "__proto__", "unknown", ["a"]])(
    "a value that names the key %j opens with none",
    async (kid) => {
      const ring = await ringOf(fresh);
      expect(await openText(ring, await sealJWE(ring.current, { kid }, "text"))).toBeNull();
    },
  );
});

test("keys of different purposes open nothing of each other [ATK-020]", async () => {
  const session = await deriveKeyRing([fresh], "session");
  const transaction = await deriveKeyRing([fresh], "transaction");
  expect(await openText(transaction, await sealText(session, {}, "text"))).toBeNull();
  expect(await openText(session, await sealText(transaction, {}, "text"))).toBeNull();
});

test("a ring without a secret cannot be made", async () => {
  await expect(async () => ringOf()).rejects.toThrow("A key ring needs a secret");
});
