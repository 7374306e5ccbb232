import { expect, test } from "vitest";
import { primarySite, transactionKeys } from "../../test/sealing.ts";

import { sealText } from "../crypto/jwe.ts";
import { deriveKeyRing } from "../crypto/key-ring.ts";
import { createLoginSeal } from "./login-seal.ts";

const start = 1_800_000_000_000;
const ring = deriveKeyRing(["a-secret-of-the-tests"], "transaction");
const sealAt = (ms: number) =>
  createLoginSeal({
    site: primarySite,
    keys: transactionKeys(["a-secret-of-the-tests"]),
    clock: () => ms,
  });
const stepUp = { maxAge: 60, acr: ["urn:mfa"] };

test.each([
  { stepUp: {} },
  { stepUp: { maxAge: 0 } },
  { stepUp: { acr: ["a", "b"] } },
  { params: { screen_hint: "signup" } },
])("the seal opens %j as it was sealed", (login) => {
  expect(sealAt(start).open(sealAt(start).seal(login))).toEqual(login);
});

test("the seal opens what it has sealed, for an hour", () => {
  const text = sealAt(start).seal({ stepUp });
  expect(sealAt(start + 3_599_999).open(text)).toEqual({ stepUp });
  expect(sealAt(start + 3_600_000).open(text)).toEqual({});
});

const sealed = (content: unknown) => sealText(ring, {}, JSON.stringify(content));

test.each([
  ["text that nobody sealed", "stepUp"],
  ["a loop counter", sealText(ring, {}, "2 1800000060")],
  ["a list", sealed([])],
  ["nothing", sealed(null)],
  ["a text", sealed("text")],
  ["a time without a step-up", sealed({ sealed: start })],
  ["a step-up whose time is text", sealed({ stepUp, sealed: String(start) })],
  ["an acr that is a number", sealed({ stepUp: { acr: ["mfa", 7] }, sealed: start })],
  ["a step-up without its time", sealed({ stepUp })],
  ["a maxAge that is text", sealed({ stepUp: { maxAge: "1" }, sealed: start })],
  ["an acr that is text", sealed({ stepUp: { acr: "mfa" }, sealed: start })],
  ["a parameter that is a number", sealed({ params: { screen_hint: 7 }, sealed: start })],
])("the seal does not open %s", (_, text) => {
  expect(sealAt(start).open(text)).toEqual({});
});
