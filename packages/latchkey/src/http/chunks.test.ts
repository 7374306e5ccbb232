import { describe, expect, test } from "vitest";

import { chunkCapacity, chunkNames, cookieLimit, joinChunks, splitIntoChunks } from "./chunks.ts";
import { type CookieAttributes, setCookie } from "./cookies.ts";

const overHTTPS: CookieAttributes = { path: "/", secure: true, sameSite: "lax" };
const overHTTP: CookieAttributes = { path: "/", secure: false, sameSite: "lax" };
const expiry = 1_700_086_400;

function jarOf(chunks: readonly (readonly [string, string])[]): Record<string, string> {
  return Object.fromEntries(chunks);
}

describe("capacity", () => {
  test("with the defaults a chunk holds 4004 characters over https and 4012 over http", () => {
    expect(chunkCapacity("appSession", overHTTPS, true)).toBe(4004);
    expect(chunkCapacity("appSession", overHTTP, true)).toBe(4012);
  });

  test("a cookie that ends with the browser has room for what Expires would take", () => {
    const withExpires = chunkCapacity("appSession", overHTTPS, true);
    expect(chunkCapacity("appSession", overHTTPS, false)).toBe(
      withExpires + "; Expires=Wed, 15 Nov 2023 22:13:20 GMT".length,
    );
  });

  test("domain, path and name take room from the value", () => {
    const attributes = { ...overHTTPS, domain: "example.com", path: "/shop" };
    expect(chunkCapacity("appSession", attributes, true)).toBe(
      4004 - "; Domain=example.com".length - "shop".length,
    );
    expect(chunkCapacity("longerSession", overHTTPS, true)).toBe(4001);
  });
});

describe("splitting", () => {
  const capacity = chunkCapacity("appSession", overHTTPS, true);

  test("a value that fits stays in one cookie of the plain name", () => {
    expect(splitIntoChunks("appSession", "x".repeat(capacity), capacity)).toEqual([
      ["appSession", "x".repeat(capacity)],
    ]);
  });

  test("a value of one character more makes two chunks", () => {
    const chunks = splitIntoChunks("appSession", "x".repeat(capacity + 1), capacity);
    expect(chunks.map(([name, { length }]) => [name, length])).toEqual([
      ["appSession.0", capacity],
      ["appSession.1", 1],
    ]);
  });

  const counts = Array.from({ length: 20 }, (_, index) => index + 1);
  test.each(counts)("%i full chunks each stay within 4096 bytes on the wire [STD-140]", (count) => {
    for (const length of [count * capacity - 1, count * capacity, count * capacity + 1]) {
      const value = "x".repeat(length);
      const chunks = splitIntoChunks("appSession", value, capacity);
      for (const [name, part] of chunks) {
        expect(setCookie(name, part, overHTTPS, expiry).length).toBeLessThanOrEqual(cookieLimit);
        expect(part).not.toBe("");
      }
      expect(joinChunks("appSession", jarOf(chunks))).toEqual([value]);
    }
  });

  test("chunks with two digits are one character shorter, so that they too fit", () => {
    const chunks = splitIntoChunks("appSession", "x".repeat(12 * capacity), capacity);
    expect(chunks[9]?.[1]).toHaveLength(capacity);
    expect(chunks[10]?.[1]).toHaveLength(capacity - 1);
  });
});

describe("joining", () => {
  test("chunks are joined by number, however the browser orders them", () => {
    const cookies: Record<string, string> = { other: "-" };
    for (const index of [10, 2, 0, 1, 9, 3, 8, 4, 7, 5, 6]) cookies[`s.${index}`] = `${index};`;
    expect(joinChunks("s", cookies)).toEqual(["0;1;2;3;4;5;6;7;8;9;10;"]);
  });

  test("a gap ends the value", () => {
    expect(joinChunks("s", { "s.0": "a", "s.2": "c" })).toEqual(["a"]);
  });

  test("chunks without a first one make no value", () => {
    expect(joinChunks("s", { "s.1": "b" })).toEqual([]);
  });

  test("a plain cookie beside chunks is a value of its own, never mixed with them [STD-143]", () => {
    expect(joinChunks("s", { s: "old", "s.0": "a", "s.1": "b" })).toEqual(["old", "ab"]);
  });

  test("empty cookies, as clearing leaves them, make no value", () => {
    expect(joinChunks("s", { s: "", "s.0": "" })).toEqual([]);
    expect(joinChunks("s", {})).toEqual([]);
    expect(joinChunks("s", { "s.0": "a", "s.1": "", "s.2": "c" })).toEqual(["a"]);
  });
});

describe("names", () => {
  test("every chunk of the request belongs to the name, whatever its number [STD-142]", () => {
    const names = ["s", "s.0", "s.9", "s.10", "s.123", "s.9999"];
    expect(chunkNames("s", Object.fromEntries(names.map((name) => [name, "x"])))).toEqual(names);
  });

  test("cookies of others do not belong to the name", () => {
    const others = [
      "S",
      "s0",
      "s.",
      "s.a",
      "s.01",
      "s.-1",
      "s.1.2",
      "s.10000",
      "xs",
      "s.0x",
      "s_0",
    ];
    expect(chunkNames("s", Object.fromEntries(others.map((name) => [name, "x"])))).toEqual([]);
  });
});
