import { describe, expect, test } from "vitest";

import { readCompactJWS } from "./compact-jws.ts";

function encode(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return Buffer.from(text).toString("base64url");
}

function token(header: unknown, payload: unknown, signature = "c2ln"): string {
  return `${encode(header)}.${encode(payload)}.${signature}`;
}

const good = token({ alg: "RS256", kid: "k", typ: "JWT" }, { sub: "u1" });

test("a compact JWS is split into header and payload", () => {
  expect(readCompactJWS(good)).toEqual({
    token: good,
    header: { alg: "RS256", kid: "k", typ: "JWT" },
    payload: { sub: "u1" },
  });
});

describe("readCompactJWS() rejects a token which is or has (RFC 7515, 7.1; RFC 8725, 3.3)", () => {
  const [head = "", body = "", signature = ""] = good.split(".");
  test.each([
    ["two parts", `${head}.${body}`],
    ["four parts", `${good}.x`],
    ["five parts, as a JWE has", `${good}.x.y`],
    ["an empty signature", `${head}.${body}.`],
    ["an empty header", `.${body}.${signature}`],
    ["an empty payload", `${head}..${signature}`],
    ["a dot at the end", `${good}.`],
    ["a dot at the beginning", `.${good}`],
    ["white space at the end", `${good} `],
    ["white space at the beginning", ` ${good}`],
    ["a line feed inside", `${head}.${body}\n.${signature}`],
    ["padding", `${head}.${body}=.${signature}`],
    ["the standard alphabet", `${head}.${body}.+/+/`],
    ["stray bits at the end", `${head}.${body}.c2m`.replace("c2m", "c2n")],
    ["an impossible length", `${head}.${body}.c2lnc`],
    ["a letter with the lowest bits of the right one", `${head}.${body}.\u01632ln`],
    ["no text", 7],
    ["nothing", undefined],
    ["more than 64 KiB", `${head}.${body}.${"A".repeat(64 * 1024)}`],
  ])("%s", (_, value) => {
    expect(readCompactJWS(value)).toBeNull();
  });
});

describe("a header is refused with (RFC 8725, 3.1 and 3.6; RFC 7515, 4.1.11)", () => {
  test.each([
    ["no algorithm", { kid: "k" }],
    ["algorithm none", { alg: "none" }],
    ["algorithm nOnE", { alg: "nOnE" }],
    ["an algorithm that is a number", { alg: 256 }],
    ["an algorithm that is a list", { alg: ["RS256"] }],
    ["a key id that is a number", { alg: "RS256", kid: 1 }],
    ["something critical", { alg: "RS256", crit: ["b64"], b64: false }],
    ["an empty list of critical members", { alg: "RS256", crit: [] }],
    ["an unencoded payload", { alg: "RS256", b64: false }],
    ["an unencoded payload, of null", { alg: "RS256", b64: null }],
    ["compression", { alg: "RS256", zip: "DEF" }],
    ["a list in its place", ["RS256"]],
    ["a member twice", '{"alg":"RS256","alg":"none"}'],
  ])("%s", (_, header) => {
    expect(readCompactJWS(token(header, { sub: "u1" }))).toBeNull();
  });
});

test.each([
  ["a list", []],
  ["a string", '"x"'],
  ["a member twice", '{"sub":"a","sub":"b"}'],
])("readCompactJWS() rejects a payload which is or has %s (RFC 7519, 7.2)", (_, payload) => {
  expect(readCompactJWS(token({ alg: "RS256" }, payload))).toBeNull();
});
