import { describe, expect, test } from "vitest";

import { Refusal } from "../../../errors/refusal.ts";
import { createCircuitBreaker } from "./circuit-breaker.ts";

const timeout = new Refusal("provider_timeout", { detail: "no response" });

/** A breaker which opens after two failures, for 1, 2, then at most 4 seconds. */
function world() {
  let now = 1_000_000;
  const told: string[] = [];
  const breaker = createCircuitBreaker({
    backOff: { baseMs: 1000, capMs: 4000 },
    opensAfter: 2,
    clock: () => now,
    fraction: () => 0.9999,
    onOpen({ reason }) {
      told.push(reason);
      return () => void told.push("works");
    },
  });
  return {
    breaker,
    told,
    advance: (ms: number) => void (now += ms),
    fail: (refusal = timeout) => breaker.failed(refusal, breaker.recoveries()),
  };
}

test("one failure does not open it; the second in a row does, and is reported once", () => {
  const { breaker, fail, told, advance } = world();
  fail();
  breaker.succeeded();
  fail();
  expect([breaker.state(), breaker.refusal(), breaker.recoveries(), told]).toEqual([
    "closed",
    null,
    0,
    [],
  ]);
  fail();
  expect(breaker.state()).toBe("open");
  advance(1000);
  expect(breaker.state()).toBe("half-open");
  fail();
  expect([breaker.state(), told]).toEqual(["open", ["provider_timeout"]]);
});

test("the waits grow with each failure, and end when one call succeeds", () => {
  const { breaker, fail, advance, told } = world();
  fail();
  const waits = [1000, 2000, 4000, 4000].map((ms) => {
    fail();
    advance(ms - 1);
    const before = breaker.state();
    advance(1);
    return [before, breaker.state()];
  });
  expect(waits).toEqual(Array.from({ length: 4 }, () => ["open", "half-open"]));
  breaker.succeeded();
  expect([breaker.state(), breaker.recoveries()]).toEqual(["closed", 1]);
  expect(told).toEqual(["provider_timeout", "works"]);
});

test("the breaker ignores the failure of a call from before it opened", () => {
  const { breaker, fail, advance } = world();
  fail();
  fail();
  advance(500);
  fail(new Refusal("provider_failed"));
  expect(breaker.refusal()?.reason).toBe("provider_timeout");
  advance(500);
  expect(breaker.state()).toBe("half-open");
});

test("the breaker ignores the failure of a call from before it closed", () => {
  const { breaker, fail } = world();
  fail();
  fail();
  breaker.succeeded();
  breaker.failed(timeout, 0);
  breaker.failed(timeout, 0);
  expect(breaker.state()).toBe("closed");
});

test("the breaker obeys Retry-After of the provider after the first failure", () => {
  const { breaker, fail, advance } = world();
  fail(new Refusal("provider_busy", { retryAfterSeconds: 7 }));
  advance(6999);
  expect(breaker.state()).toBe("open");
  advance(1);
  expect(breaker.state()).toBe("half-open");
});

describe("while it is open", () => {
  test("a call gets the failure with the remaining seconds", () => {
    const { breaker, fail, advance } = world();
    fail(new Refusal("provider_busy", { retryAfterSeconds: 7, detail: "busy" }));
    const secondsAfter = (ms: number) => {
      advance(ms);
      return breaker.refusal()?.retryAfterSeconds;
    };
    expect([secondsAfter(0), secondsAfter(1), secondsAfter(5999), secondsAfter(9000)]).toEqual([
      7, 7, 1, 1,
    ]);
    expect(breaker.refusal()).toMatchObject({ reason: "provider_busy", detail: "busy" });
  });

  test("a clock set back does not keep it open", () => {
    const { breaker, fail, advance } = world();
    fail();
    fail();
    advance(-1);
    expect(breaker.state()).toBe("half-open");
  });
});
