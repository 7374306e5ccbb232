import type { Log } from "latchkey";
import { expect, test } from "vitest";

import { createLogger, logTo } from "./log.ts";

type Event = Parameters<Log>[0];

function linesOf(event: Event, level = "info"): Record<string, unknown>[] {
  const lines: string[] = [];
  const logger = createLogger(level, { write: (line) => void lines.push(line) });
  logTo(logger)(event);
  return lines.map((line) => JSON.parse(line));
}

test("an event is written as one JSON line with its time", () => {
  const [line] = linesOf({ event: "sign-in", sub: "person-ada", issuer: "https://id.example.com" });
  expect(line).toMatchObject({ level: "info", event: "sign-in", sub: "person-ada" });
  expect(Date.parse(String(line?.["time"]))).not.toBeNaN();
});

test("the level of a line says how serious its event is", () => {
  const refusal = { event: "refusal", route: "callback", reason: "state_mismatch" } as const;
  expect(linesOf({ ...refusal, status: 400 })[0]?.["level"]).toBe("warn");
  expect(linesOf({ ...refusal, status: 500 })[0]?.["level"]).toBe("error");
  expect(linesOf({ event: "store-fault", error: new Error("full") })[0]).toMatchObject({
    level: "error",
    error: { name: "Error", message: "full" },
  });
});

test("a server fault on every request is written once a second [OP-029]", () => {
  const lines: string[] = [];
  const log = logTo(createLogger("info", { write: (line) => void lines.push(line) }));
  const down = { event: "refusal", route: "guard", reason: "store_unavailable" } as const;
  for (let count = 0; count < 100; count += 1) log({ ...down, status: 503 });
  expect(lines).toHaveLength(1);
});

test("a value under the name of a secret is never written", () => {
  const event = { event: "warning", message: "look", code: "canary", cookie: "canary" };
  const nested = { ...event, request: { state: "canary", headers: { authorization: "canary" } } };
  const [line] = linesOf(nested as Event);
  expect(JSON.stringify(line)).not.toContain("canary");
});

test.each(["up", "down", "read-only"] as const)("the store state %s is written", (state) => {
  const event = { event: "store-state", state, durationMs: 1 } as Event;
  expect(linesOf(event)).toMatchObject([{ state }]);
});

test("an error outside of sign-in is written with its text, too", () => {
  const lines: string[] = [];
  const logger = createLogger("info", { write: (line) => void lines.push(line) });
  logger.fatal({ event: "uncaught", error: new TypeError("boom") });
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    level: "fatal",
    error: { name: "TypeError", message: "boom", stack: expect.stringContaining("log.test") },
  });
});

test("an event below the level is not written", () => {
  expect(linesOf({ event: "warning", message: "look" }, "error")).toEqual([]);
});
