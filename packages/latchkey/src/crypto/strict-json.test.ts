import { describe, expect, test } from "vitest";

import { parseStrictJSON } from "./strict-json.ts";

function parse(text: string) {
  return parseStrictJSON(new TextEncoder().encode(text));
}

function nested(levels: number): string {
  return `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
}

describe("JSON is read", () => {
  test.each([
    '{"a":1}',
    ' {"a" : [1, 2, {"a": "b"}], "b": {"a": 1}}\n',
    '{"a":"{\\"a\\":1,\\"a\\":2}"}',
    '{"a":"\\\\","b":"\\""}',
    '{"":0,"\\u0061":1}',
    '{"a":"\\ud83d\\udd11 🔑"}',
    '{"a":[{"x":1},{"x":2}]}',
    '{"a":[1,"a","a"],"b":"a"}',
    "{}",
  ])("%s", (text) => {
    expect(parse(text)).toEqual(JSON.parse(text));
  });

  test("up to 64 levels", () => {
    expect(parse(nested(64))).not.toBeNull();
  });

  test("a member named __proto__, as a plain member", () => {
    const value = parse('{"__proto__":{"admin":true}}');
    expect(Object.keys(value ?? {})).toEqual(["__proto__"]);
    expect(({} as Record<string, unknown>)["admin"]).toBeUndefined();
  });
});

describe("parseStrictJSON() rejects JSON which is or has (RFC 8725, 2.7)", () => {
  test.each([
    ["a member twice", '{"sub":"a","sub":"b"}'],
    ["a member twice, once escaped", '{"sub":"a","s\\u0075b":"b"}'],
    ["a member twice, deep inside", '{"a":[{"b":{"c":1,"d":2,"c":3}}]}'],
    ["a member twice behind a nested object", '{"a":{"x":1},"a":2}'],
    ["a member twice behind a list", '{"a":[1,{"b":2}],"a":2}'],
    ["a list", "[1]"],
    ["a string", '"a"'],
    ["a number", "1"],
    ["null", "null"],
    ["nothing", ""],
    ["two values", "{}{}"],
    ["a trailing comma", '{"a":1,}'],
    ["single quotes", "{'a':1}"],
    ["NaN", '{"a":NaN}'],
    ["a comment", '{"a":1/**/}'],
    ["a byte order mark", '\ufeff{"a":1}'],
    ["a lone surrogate as value", '{"a":"\\ud83d"}'],
    ["a lone surrogate as name", '{"\\udd11":1}'],
    ["65 levels", nested(65)],
    ["100,000 levels of lists", '{"a":'.concat("[".repeat(100_000))],
    ["a line feed in a string", '{"a":"\n"}'],
  ])("%s", (_, text) => {
    expect(parse(text)).toBeNull();
  });

  test("bytes other than UTF-8 (RFC 8259, 8.1)", () => {
    expect(parseStrictJSON(Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toBeNull();
    expect(
      parseStrictJSON(Uint8Array.from([0x7b, 0x22, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d])),
    ).toBeNull();
  });
});
