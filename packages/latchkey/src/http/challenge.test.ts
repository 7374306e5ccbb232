import { expect, test } from "vitest";

import { type Challenge, challengeHeaders } from "./challenge.ts";

const session: Challenge = { scheme: "Cookie", parameters: { realm: "https://app.example" } };

test("a challenge quotes its parameters and leaves out those without a value [AP-019]", () => {
  const parameters = { error: "invalid_token", scope: undefined, max_age: 0 };
  expect(challengeHeaders({ scheme: "Bearer", parameters })).toEqual([
    ["WWW-Authenticate", 'Bearer error="invalid_token", max_age="0"'],
  ]);
});

test("a challenge without parameters is the name of its scheme", () => {
  const [[, value] = []] = challengeHeaders({ scheme: "Bearer", parameters: {} });
  expect(value).toBe("Bearer");
});

test("several challenges share one line, in their order", () => {
  const [[, value] = []] = challengeHeaders({ scheme: "Bearer", parameters: {} }, session);
  expect(value).toBe('Bearer, Cookie realm="https://app.example"');
});

test("no value of a challenge ends its quotes, its line or its header [AP-023]", () => {
  const parameters = { scope: 'a" b\\\r\nSet-Cookie: c=d é\u0000' };
  expect(challengeHeaders({ scheme: "Bearer", parameters })).toEqual([
    ["WWW-Authenticate", 'Bearer scope="a bSet-Cookie: c=d "'],
  ]);
});
