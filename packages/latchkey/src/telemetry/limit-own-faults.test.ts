import { expect, onTestFinished, test, vi } from "vitest";

import { ambientLog } from "../host/options.ts";
import { limitOwnFaults } from "./limit-own-faults.ts";
import type { LogEvent } from "./log-event.ts";

const down = {
  event: "refusal",
  route: "guard",
  reason: "store_unavailable",
  status: 503,
} as const;
const wrong = { event: "refusal", route: "guard", reason: "internal", status: 500 } as const;
const refused = {
  event: "refusal",
  route: "callback",
  reason: "state_missing",
  status: 400,
} as const;

test("one refusal a second is logged for each fault of ours, with the number of omitted ones [OP-029]", () => {
  let now = 0;
  const logged: LogEvent[] = [];
  const log = limitOwnFaults(
    (event) => void logged.push(event),
    () => now,
  );
  for (; now < 2000; now += 5) {
    log(down);
    log(wrong);
  }
  expect(logged).toEqual([
    down,
    wrong,
    { ...down, suppressed: 199 },
    { ...wrong, suppressed: 199 },
  ]);
});

test("a connection whose provider is down hides no failure at another one [MX-059]", () => {
  const logged: LogEvent[] = [];
  const log = limitOwnFaults(
    (event) => void logged.push(event),
    () => 0,
  );
  const events = ["globex", "globex", "acme", "globex"].map(
    (connection) => ({ ...down, reason: "provider_timeout", connection }) as const,
  );
  events.forEach(log);
  expect(logged.map(({ connection }) => connection)).toEqual(["globex", "acme"]);
});

test("one failed refresh a second is logged for each reason, and every good one", () => {
  const logged: LogEvent[] = [];
  const log = limitOwnFaults(
    (event) => void logged.push(event),
    () => 0,
  );
  const failed = { event: "refresh", outcome: "refused", sub: "ada" } as const;
  const renewed = { event: "refresh", outcome: "renewed", sub: "ada" } as const;
  for (let count = 0; count < 2; count += 1) {
    log({ ...failed, reason: "code_rejected" });
    log({ ...failed, reason: "token_issuer" });
    log(renewed);
  }
  expect(logged).toEqual([
    { ...failed, reason: "code_rejected" },
    { ...failed, reason: "token_issuer" },
    renewed,
    renewed,
  ]);
});

test("the console gets no more in an app without a log [OP-029]", () => {
  const lines = vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => lines.mockRestore());
  const log = ambientLog({ production: true });
  for (let count = 0; count < 100; count += 1) log(down);
  expect(lines).toHaveBeenCalledTimes(1);
});

test("every other event is logged", () => {
  const logged: LogEvent[] = [];
  const log = limitOwnFaults(
    (event) => void logged.push(event),
    () => 0,
  );
  for (let count = 0; count < 10; count += 1) log(refused);
  expect(logged).toHaveLength(10);
});
