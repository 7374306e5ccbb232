import { describe, expect, test } from "vitest";

import {
  isCurrent,
  isForSharedComputer,
  isRestart,
  parseTransaction,
  stateOf,
  type Transaction,
} from "./transaction.ts";

const transaction: Transaction = {
  state: "state",
  nonce: "nonce",
  codeVerifier: "verifier",
  returnTo: "https://app.example/",
  started: 1_000_000,
  maxAge: 0,
};

test("a transaction may be finished for one hour, to the millisecond", () => {
  expect(isCurrent(transaction, 1_000_000)).toBe(true);
  expect(isCurrent(transaction, 1_000_000 + 3_599_999)).toBe(true);
  expect(isCurrent(transaction, 1_000_000 + 3_600_000)).toBe(false);
});

test("a state shows whether its sign-in is the second try", () => {
  expect([false, true].map((isSecondTry) => isRestart(stateOf("random", { isSecondTry })))).toEqual(
    [false, true],
  );
  expect([undefined, ".random"].map(isRestart)).toEqual([false, false]);
});

describe("reading", () => {
  test("a written transaction is read again, with a maxAge of 0 [STD-015]", () => {
    expect(parseTransaction(JSON.stringify(transaction))).toEqual(transaction);
  });

  test("a transaction without verifier and maxAge is read", () => {
    const { codeVerifier: _verifier, maxAge: _maxAge, ...least } = transaction;
    expect(parseTransaction(JSON.stringify(least))).toEqual(least);
  });

  test.each([
    ["no JSON", "{"],
    ["null alone", "null"],
    ["a list", "[]"],
    ["a text", '"x"'],
    ["a session", JSON.stringify({ user: { sub: "ada" } })],
    ...(["state", "nonce", "returnTo", "started"] as const).flatMap((name) => [
      [`no ${name}`, JSON.stringify({ ...transaction, [name]: undefined })],
      [`null as ${name}`, JSON.stringify({ ...transaction, [name]: null })],
      [`an empty ${name}`, JSON.stringify({ ...transaction, [name]: "" })],
    ]),
    ["a verifier that is no text", JSON.stringify({ ...transaction, codeVerifier: 7 })],
    ["a binding that is no text", JSON.stringify({ ...transaction, binding: 7 })],
    ["a session to replace that is no text", JSON.stringify({ ...transaction, replaces: {} })],
    ["a step-up that is no object", JSON.stringify({ ...transaction, stepUp: "mfa" })],
    ["a maxAge that is no number", JSON.stringify({ ...transaction, maxAge: "0" })],
  ])("a text with %s is no transaction", (_, text) => {
    expect(parseTransaction(text)).toBeNull();
  });
});

test("a state keeps that its sign-in is for a shared computer, also at the second try", () => {
  const states = [
    {},
    { isSecondTry: true },
    { isShared: true },
    { isSecondTry: true, isShared: true },
  ];
  const made = states.map((marks) => stateOf("random", marks));
  expect(made.map(isForSharedComputer)).toEqual([false, false, true, true]);
  expect(made.map(isRestart)).toEqual([false, true, false, true]);
});
