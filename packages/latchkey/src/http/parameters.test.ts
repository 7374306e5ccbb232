import { expect, test } from "vitest";

import { Refusal } from "../errors/refusal.ts";
import { readParameters } from "./parameters.ts";

test("the named parameters are read, and all others are ignored", () => {
  const source = new URLSearchParams("code=c&state=s&extra=1&extra=2&__proto__=x");
  expect([...readParameters(source, ["code", "state", "error"])]).toEqual([
    ["code", "c"],
    ["state", "s"],
  ]);
});

test.each(["code=a&code=b", "state=s&code=a&state=s"])(
  "%s is refused, because a parameter may come once only [STD-003, RFC 6749, section 3.1]",
  (query) => {
    const read = () => readParameters(new URLSearchParams(query), ["code", "state"]);
    expect(read).toThrow(Refusal);
    expect(read).toThrow("A parameter appears more than once.");
    expect(read).toThrow(expect.objectContaining({ detail: query.slice(0, query.indexOf("=")) }));
  },
);
