import { expect, test } from "vitest";

import { deviceTrace, userAgentIn } from "./device.ts";

test("a device keeps how the browser called itself", () => {
  expect(deviceTrace("Mozilla/5.0 (X11)")).toEqual({ userAgent: "Mozilla/5.0 (X11)" });
  expect(deviceTrace(null)).toEqual({ userAgent: "" });
});

test("a device keeps no more than 256 characters of that", () => {
  expect(deviceTrace("x".repeat(9000)).userAgent).toHaveLength(256);
});

test("a device keeps no character that does not print", () => {
  expect(deviceTrace("a\u0000\tb\u001b[31m\u009b\u202e\u200bc")).toEqual({ userAgent: "ab[31mc" });
});

test.each([undefined, null, "x", {}, { userAgent: 7 }])(
  "userAgentIn finds no browser in %j",
  (device) => {
    expect(userAgentIn(device)).toBe("");
  },
);

test("a device keeps no white space at the end of what was cut", () => {
  expect(deviceTrace(`${"x".repeat(255)} y`).userAgent).toBe("x".repeat(255));
});

test("userAgentIn finds what deviceTrace has kept", () => {
  expect(userAgentIn(deviceTrace("Mozilla/5.0 (X11)"))).toBe("Mozilla/5.0 (X11)");
});
