import { expect, test } from "vitest";

import { consoleLog } from "./console-log.ts";
import type { LogEvent } from "./log-event.ts";

function linesOf(event: LogEvent, production = false): readonly string[] {
  const lines: string[] = [];
  consoleLog({ production, write: (line) => void lines.push(line), clock: () => 0 })(event);
  return lines;
}

function jsonOf(event: LogEvent): unknown {
  return linesOf(event, true).map((line): unknown => JSON.parse(line))[0];
}

const refusal = {
  event: "refusal",
  route: "callback",
  reason: "state_mismatch",
  status: 400,
  reference: "7F3K-92QD",
  detail: "expected a cookie",
} as const satisfies LogEvent;

test("the log writes a refusal as a line with its reason, reference and detail in development", () => {
  expect(linesOf(refusal)).toEqual([
    "latchkey warning: refusal state_mismatch (route callback, status 400, reference 7F3K-92QD): expected a cookie",
  ]);
});

test("the log writes a refusal as a JSON object with its time and level in production", () => {
  expect(jsonOf(refusal)).toEqual({
    time: "1970-01-01T00:00:00.000Z",
    level: "warning",
    ...refusal,
  });
});

test("the log writes a warning as its sentence in development", () => {
  expect(linesOf({ event: "warning", message: "There is no store." })).toEqual([
    "latchkey warning: There is no store.",
  ]);
});

test("the log leaves out unknown facts in development", () => {
  const [line] = linesOf({ event: "unknown-key", keyId: undefined, detail: "none opens it" });
  expect(line).toBe("latchkey warning: unknown-key: none opens it");
});

test("the log leaves out an absent error in production", () => {
  expect(jsonOf({ ...refusal, error: undefined })).not.toHaveProperty("error");
});

test.each([false, true])(
  "the log writes nothing of what is merely informative (production %j)",
  (mode) => {
    expect(linesOf({ event: "sign-in", sub: "ada", issuer: "https://op.example" }, mode)).toEqual(
      [],
    );
  },
);

test("the log has an error, its causes and its place in the code in development", () => {
  const cause = new RangeError("disk full");
  cause.stack = "RangeError: disk full\n    at write (store.js:1:2)\n    at later (x.js:3:4)";
  const error = new Error("cannot save", { cause });
  expect(linesOf({ event: "store-fault", error })).toEqual([
    "latchkey error: store-fault: Error: cannot save, caused by RangeError: disk full (at write (store.js:1:2))",
  ]);
});

test("the log writes an error with its causes and its stack in production", () => {
  const error = new Error("cannot save", { cause: new RangeError("disk full") });
  expect(jsonOf({ event: "store-fault", error })).toMatchObject({
    level: "error",
    error: {
      name: "Error",
      message: "cannot save",
      stack: expect.arrayContaining([expect.stringContaining("console-log.test.ts")]),
      cause: { name: "RangeError", message: "disk full" },
    },
  });
});

test.each([false, true])(
  "the log writes one line, whatever control characters the facts hold (production %j)",
  (mode) => {
    const broken = "a\nlatchkey error: forged\r\u001B[2J\u0085\u2028";
    const error = new Error(broken);
    const [line, ...others] = linesOf({ ...refusal, detail: broken, error }, mode);
    expect(others).toEqual([]);
    expect(line).not.toMatch(/[\p{Cc}\u2028]/u);
    expect(line).not.toMatch(/\\[nru]/);
  },
);

test.each([false, true])(
  "the log writes an error with itself as its cause (production %j)",
  (mode) => {
    const error = new Error("again");
    error.cause = error;
    expect(linesOf({ event: "store-fault", error }, mode)).toEqual([
      expect.stringContaining("again"),
    ]);
  },
);

test("the log does not throw if writing fails", () => {
  const log = consoleLog({
    production: false,
    write: () => {
      throw new Error("EPIPE");
    },
    clock: () => 0,
  });
  expect(() => log(refusal)).not.toThrow();
});
