import { describe, expect, test } from "vitest";

import { isCurrent, parseTransaction, type Transaction } from "./transaction.ts";

const pending: Transaction = {
  state: "state",
  nonce: "nonce",
  codeVerifier: "verifier",
  returnTo: "https://app.example/",
  started: 1_000_000,
  maxAge: 0,
};

test("a pending login lives for one hour, to the millisecond", () => {
  expect(isCurrent(pending, 1_000_000)).toBe(true);
  expect(isCurrent(pending, 1_000_000 + 3_599_999)).toBe(true);
  expect(isCurrent(pending, 1_000_000 + 3_600_000)).toBe(false);
});

describe("reading", () => {
  test("gives back what was written, a maxAge of 0 included [STD-015]", () => {
    expect(parseTransaction(JSON.stringify(pending))).toEqual(pending);
  });

  test("does without verifier and maxAge", () => {
    const { codeVerifier: _verifier, maxAge: _maxAge, ...least } = pending;
    expect(parseTransaction(JSON.stringify(least))).toEqual(least);
  });

  test.each([
    ["no JSON", "{"],
    ["null", "null"],
    ["a list", "[]"],
    ["a text", '"x"'],
    ["a session", JSON.stringify({ user: { sub: "ada" } })],
    ...(["state", "nonce", "returnTo", "started"] as const).flatMap((name) => [
      [`no ${name}`, JSON.stringify({ ...pending, [name]: undefined })],
      [`null as ${name}`, JSON.stringify({ ...pending, [name]: null })],
      [`an empty ${name}`, JSON.stringify({ ...pending, [name]: "" })],
    ]),
    ["a verifier that is no text", JSON.stringify({ ...pending, codeVerifier: 7 })],
    ["a maxAge that is no number", JSON.stringify({ ...pending, maxAge: "0" })],
  ])("%s is nothing [ATK-019]", (_, text) => {
    expect(parseTransaction(text)).toBeNull();
  });
});
