import { expect, test } from "vitest";

import { cleanDeviceName, deviceTrace, deviceTraceIn, withDeviceName } from "./device-trace.ts";

test("a device keeps how the browser called itself, and nothing else", () => {
  expect(deviceTrace("Mozilla/5.0 (X11)")).toStrictEqual({ userAgent: "Mozilla/5.0 (X11)" });
  expect(deviceTrace(null)).toEqual({ userAgent: "" });
});

test("a device keeps no more than 256 characters of it", () => {
  expect(deviceTrace("x".repeat(9000)).userAgent).toHaveLength(256);
});

test("a device keeps no unprintable character", () => {
  expect(deviceTrace("a\u0000\tb\u001b[31m\u009b\u202e\u200bc")).toEqual({ userAgent: "ab[31mc" });
});

test.each([undefined, null, "x", {}, { userAgent: 7, name: [], network: null }])(
  "deviceTraceIn finds nothing in %j",
  (device) => {
    expect(deviceTraceIn(device)).toEqual({ userAgent: "" });
  },
);

test("a device keeps no white space at the end of what was cut", () => {
  expect(deviceTrace(`${"x".repeat(255)} y`).userAgent).toBe("x".repeat(255));
});

test("deviceTraceIn finds what was kept, and nothing else", () => {
  const trace = withDeviceName(deviceTrace("Mozilla/5.0 (X11)", "203.0.113.…"), "Kitchen");
  expect(deviceTraceIn({ ...trace, other: "x" })).toEqual({
    userAgent: "Mozilla/5.0 (X11)",
    network: "203.0.113.…",
    name: "Kitchen",
  });
});

test("an empty name takes the former one away", () => {
  const trace = withDeviceName(deviceTrace("x"), "Kitchen");
  expect(withDeviceName(trace, "")).toEqual({ userAgent: "x" });
});

test.each([
  ["  Kitchen \t\n laptop ", "Kitchen laptop"],
  ["Ноутбук", "Ноутбук"],
  ["هاتف العمل", "هاتف العمل"],
  ["می\u200Cخواهم", "می\u200Cخواهم"],
  ["👩‍👩‍👧‍👦 iPad", "👩‍👩‍👧‍👦 iPad"],
  ["👋🏽", "👋🏽"],
  ["<b>Bold</b> & co", "<b>Bold</b> & co"],
  ["e\u0301", "é"],
  ["\u202Eevil\u2066x\u200F", "evilx"],
  ["a\u0000\u001B[31mb\uD800", "a[31mb"],
  ["\u2028two\u2029lines", "two lines"],
])("the name %j is kept as %j", (given, kept) => {
  expect(cleanDeviceName(given)).toBe(kept);
});

test.each(["", "   ", "\u200B\u200D", "\u3164", "\u2800", "\u0301", "\u202E"])(
  "the name %j has nothing to see, and is none",
  (given) => {
    expect(cleanDeviceName(given)).toBe("");
  },
);
