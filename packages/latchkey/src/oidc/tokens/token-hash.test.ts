import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";

import { leftHalfHash } from "./token-hash.ts";

test("the hash equals the published examples (OpenID Connect Core, A.3 and A.4)", async () => {
  expect(leftHalfHash("jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y", "RS256")).toBe(
    "77QmUPtjPfzWtF2AnpK9RQ",
  );
  expect(leftHalfHash("Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk", "RS256")).toBe(
    "LDktKdoQak3Pk0cnXxCltA",
  );
});

describe("the hash is the left half of the digest of the algorithm", () => {
  test.each([
    ["RS256", "sha256"],
    ["PS384", "sha384"],
    ["ES512", "sha512"],
    ["HS256", "sha256"],
    ["EdDSA", "sha512"],
    ["Ed25519", "sha512"],
  ])("%s: %s", async (alg, digest) => {
    const bytes = createHash(digest).update("a-code").digest();
    expect(leftHalfHash("a-code", alg)).toBe(
      bytes.subarray(0, bytes.length / 2).toString("base64url"),
    );
  });
});
