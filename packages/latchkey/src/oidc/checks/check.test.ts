import { describe, expect, test } from "vitest";

import { type Check, type CheckList, forEachKind, judgeChecks, runChecks } from "./check.ts";

interface Facts {
  readonly color?: string;
  readonly size: number;
}

const colorCheck: Check<Facts> = {
  name: "color",
  reason: "body_malformed",
  applies: ({ color }) => color !== undefined,
  holds: ({ color }) => color === "green",
  expected: () => "green",
  actual: ({ color }) => color,
};

const sizeCheck: Check<Facts> = {
  name: "size",
  reason: "body_too_large",
  reasonOf: ({ size }) => (size < 0 ? "body_malformed" : "body_too_large"),
  holds: ({ size }) => size >= 0 && size < 3,
  expected: () => "below 3",
  actual: ({ size }) => size,
  refusal: () => ({ suspect: "a ruler" }),
};

const list: CheckList<Facts> = { title: "A thing", checks: [colorCheck, sizeCheck] };

const refusal = (facts: Facts) => {
  try {
    runChecks(list, facts);
    return null;
  } catch (error) {
    return error;
  }
};

describe("runChecks", () => {
  test("passes what meets all checks, and leaves out one that does not apply", () => {
    expect(refusal({ color: "green", size: 2 })).toBeNull();
    expect(refusal({ size: 2 })).toBeNull();
  });

  test("refuses by the first check that does not hold, with both values", () => {
    expect(refusal({ color: "red\n", size: 7 })).toMatchObject({
      reason: "body_malformed",
      detail: String.raw`expected green, got "red\n"`,
    });
    expect(refusal({ size: 7 })).toMatchObject({
      reason: "body_too_large",
      detail: "expected below 3, got 7",
      suspect: "a ruler",
    });
    expect(refusal({ size: -1 })).toMatchObject({ reason: "body_malformed" });
  });

  test("gives the kind of the list to reasons of tokens, and no secret to any", () => {
    const secret = { ...colorCheck, reason: "token_nonce", isSecret: true } as const;
    const ofToken: CheckList<Facts> = { title: "ID token", kind: "id_token", checks: [secret] };
    expect(() => runChecks(ofToken, { color: "hidden", size: 0 })).toThrow(
      expect.objectContaining({
        fault: { reason: "token_nonce", kind: "id_token" },
        detail: undefined,
      }) as Error,
    );
  });
});

describe("judgeChecks", () => {
  test("says of each check what became of it, with its values", () => {
    expect(judgeChecks(list, { size: 7 })).toEqual([
      { name: "color", verdict: "not needed" },
      { name: "size", verdict: "failed", values: { expected: "below 3", actual: 7 } },
    ]);
    expect(judgeChecks(list, { color: "red", size: 7 })).toEqual([
      { name: "color", verdict: "failed", values: { expected: "green", actual: "red" } },
      { name: "size", verdict: "not reached" },
    ]);
    expect(judgeChecks(list, { color: "green", size: 1 }).map(({ verdict }) => verdict)).toEqual([
      "passed",
      "passed",
    ]);
  });
});

test("forEachKind makes a list for each kind of token, under its title", () => {
  const lists = forEachKind<Facts>((title) => [{ ...colorCheck, name: title }]);
  expect(lists.logout_token).toMatchObject({
    title: "Logout token",
    kind: "logout_token",
    checks: [{ name: "Logout token" }],
  });
});
