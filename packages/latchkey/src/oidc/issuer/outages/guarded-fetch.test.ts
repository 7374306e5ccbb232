import { describe, expect, test, vi } from "vitest";

import { ambient } from "../../../ambient.ts";
import { providerBackOff } from "../../../config/constants.ts";
import type { LogEvent } from "../../../telemetry/log-event.ts";
import { Refusal } from "../../../errors/refusal.ts";
import type { ProviderFetch } from "../provider-fetch.ts";
import { createCircuitBreaker } from "./circuit-breaker.ts";
import { createGuardedFetch } from "./guarded-fetch.ts";
import { createProviderState } from "./provider-state.ts";

const address = "https://op.example/token";
const request = { method: "GET" } as never;

test("calls from an outage that fail after it are no second outage", async () => {
  let now = 1_000_000;
  const events: LogEvent[] = [];
  const state = createProviderState(
    (event) => events.push(event),
    () => now,
  );
  const ends: ((error: Error | null) => void)[] = [];
  const call: ProviderFetch = () =>
    new Promise((resolve, reject) => {
      ends.push((error) => (error === null ? resolve(new Response("ok")) : reject(error)));
    });
  const guarded = createGuardedFetch(call, ambient, () =>
    createCircuitBreaker({
      backOff: providerBackOff,
      opensAfter: 5,
      clock: () => now,
      fraction: () => 0.5,
      onOpen: state.failing,
    }),
  );
  const end = (count: number, error: Error | null) =>
    ends.splice(0, count).forEach((each) => each(error));
  const calls = Array.from({ length: 15 }, () => guarded(address, request));
  const outcomes = Promise.allSettled(calls);
  await new Promise(setImmediate);

  end(5, new Refusal("provider_timeout"));
  await new Promise(setImmediate);
  now += 60_000;
  const back = guarded(address, request);
  await new Promise(setImmediate);
  ends.pop()?.(null);
  await back;
  end(10, new Refusal("provider_timeout"));
  await outcomes;

  const states = events.map((event) => event.event === "provider-state" && event.state);
  expect(states).toEqual(["down", "up"]);
});

describe("the calls to one endpoint", () => {
  /** Calls which end on demand, a breaker which opens after one failure, and late waits. */
  function world({ lateMs = 0, onWait = (): void => undefined } = {}) {
    const ends: PromiseWithResolvers<Response>[] = [];
    let now = 0;
    const timing = {
      monotonic: () => now,
      async wait(ms: number) {
        now += ms + lateMs;
        onWait();
        await new Promise(setImmediate);
      },
    };
    const guarded = createGuardedFetch(
      () => {
        const end = Promise.withResolvers<Response>();
        ends.push(end);
        return end.promise;
      },
      timing,
      () =>
        createCircuitBreaker({
          backOff: providerBackOff,
          opensAfter: 1,
          clock: Date.now,
          fraction: () => 0.5,
          onOpen: () => () => undefined,
        }),
    );
    const outcomeOf = (at = address) =>
      guarded(at, request).then(
        ({ status }) => status,
        (error: unknown) => (error instanceof Refusal ? error.reason : "another error"),
      );
    const fill = () => {
      for (let count = 0; count < 64; count += 1) void outcomeOf();
    };
    return { ends, guarded, outcomeOf, fill, now: timing.monotonic };
  }

  test("are 64 at the most: a later one waits for its turn", async () => {
    const { ends, outcomeOf, fill, now } = world({
      onWait: () => void (now() === 700 && ends[0]?.resolve(new Response())),
    });
    fill();
    const later = outcomeOf(`${address}?with=a-query`);
    await vi.waitUntil(() => ends.length > 64);
    expect(now()).toBe(700);
    ends[64]?.resolve(new Response("", { status: 201 }));
    expect(await later).toBe(201);
  });

  test("are refused after a wait of 800 ms, with a second to come again", async () => {
    const { ends, guarded, fill, now } = world();
    fill();
    const refused = await guarded(address, request).catch((error: unknown) => error);
    expect(refused).toMatchObject({ reason: "provider_busy", retryAfterSeconds: 1 });
    expect(now()).toBe(800);
    expect(ends).toHaveLength(64);
  });

  test("are refused within a second even if each check is late [OP-046]", async () => {
    const { outcomeOf, fill, now } = world({ lateMs: 150 });
    fill();
    expect(await outcomeOf()).toBe("provider_busy");
    expect(now()).toBeLessThan(1000);
  });

  test("do not wait for those to another endpoint", async () => {
    const { ends, outcomeOf, fill } = world();
    fill();
    void outcomeOf("https://op.example/userinfo");
    await new Promise(setImmediate);
    expect(ends).toHaveLength(65);
  });

  test("are not made during a known failure", async () => {
    const { ends, outcomeOf } = world();
    const failed = outcomeOf();
    await new Promise(setImmediate);
    ends[0]?.reject(new Refusal("provider_timeout"));
    expect([await failed, await outcomeOf()]).toEqual(["provider_timeout", "provider_timeout"]);
    expect(ends).toHaveLength(1);
  });

  test("do not count a wrong response as an outage", async () => {
    const { ends, outcomeOf } = world();
    const failed = outcomeOf();
    await new Promise(setImmediate);
    ends[0]?.reject(new Refusal("response_too_large"));
    expect(await failed).toBe("response_too_large");
    void outcomeOf();
    await new Promise(setImmediate);
    expect(ends).toHaveLength(2);
  });
});
