import { expect, test } from "vitest";

import type { LogEvent } from "../../../telemetry/log-event.ts";
import { Refusal } from "../../../errors/refusal.ts";
import { createProviderState } from "./provider-state.ts";

const fault = new Refusal("provider_timeout", { detail: "no response" });

function world() {
  let now = 50_000;
  const events: LogEvent[] = [];
  const state = createProviderState(
    (event) => events.push(event),
    () => now,
  );
  return { state, events, advance: (ms: number) => void (now += ms) };
}

test("an outage of several endpoints is reported at its start and after the last recovery", () => {
  const { state, events, advance } = world();
  expect(state.fault()).toBeNull();
  const tokenWorks = state.failing(fault);
  const keysWork = state.failing(new Refusal("provider_failed"));
  const down = {
    event: "provider-state",
    state: "down",
    reason: "provider_timeout",
    detail: "no response",
  };
  expect([state.fault(), events]).toEqual([{ reason: "provider_timeout", downMs: 0 }, [down]]);
  advance(3000);
  tokenWorks();
  expect([state.fault(), events]).toEqual([{ reason: "provider_failed", downMs: 3000 }, [down]]);
  advance(2000);
  keysWork();
  const up = { event: "provider-state", state: "up", durationMs: 5000 };
  expect([state.fault(), events]).toEqual([null, [down, up]]);
});

test("a failure without a detail is reported without one, and no outage has a negative length", () => {
  const { state, events, advance } = world();
  const works = state.failing(new Refusal("provider_failed"));
  advance(-10);
  works();
  expect(events).toEqual([
    { event: "provider-state", state: "down", reason: "provider_failed" },
    { event: "provider-state", state: "up", durationMs: 0 },
  ]);
});
