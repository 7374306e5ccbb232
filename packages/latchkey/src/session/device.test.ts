import { expect, test } from "vitest";

import { deviceTrace, userAgentIn } from "./device.ts";

test("keeps how the browser called itself", () => {
  expect(deviceTrace("Mozilla/5.0 (X11)")).toEqual({ userAgent: "Mozilla/5.0 (X11)" });
  expect(deviceTrace(null)).toEqual({ userAgent: "" });
});

test("keeps no more than 256 characters of it", () => {
  expect(deviceTrace("x".repeat(9000)).userAgent).toHaveLength(256);
});

test("keeps nothing that does not print", () => {
  expect(deviceTrace("a\u0000\tb\u001b[31m\u009b\u202e\u200bc")).toEqual({ userAgent: "ab[31mc" });
});

test.each([undefined, null, "x", {}, { userAgent: 7 }])("finds no browser in %j", (device) => {
  expect(userAgentIn(device)).toBe("");
});
