import { afterEach, describe, expect, test, vi } from "vitest";

import { providerBackOff } from "../../config/constants.ts";
import type { LogEvent } from "../../config/telemetry/log-event.ts";
import { Refusal } from "../../errors/refusal.ts";
import type { ProviderFetch } from "../provider-fetch.ts";
import { createCircuitBreaker } from "./circuit-breaker.ts";
import { createGuardedFetch } from "./guarded-fetch.ts";
import { createProviderState } from "./provider-state.ts";

const address = "https://op.example/token";
const request = { method: "GET" } as never;

test("calls that began in an outage and fail after it are no second outage", async () => {
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
  const guarded = createGuardedFetch(call, () =>
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
  afterEach(() => void vi.useRealTimers());

  /** Calls that end when the test says so; a breaker that opens after one failure. */
  function world() {
    vi.useFakeTimers();
    const ends: PromiseWithResolvers<Response>[] = [];
    const guarded = createGuardedFetch(
      () => {
        const end = Promise.withResolvers<Response>();
        ends.push(end);
        return end.promise;
      },
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
    return { ends, guarded, outcomeOf, fill };
  }

  test("are 64 at the most: a later one waits for its turn", async () => {
    const { ends, outcomeOf, fill } = world();
    fill();
    const later = outcomeOf(`${address}?with=a-query`);
    await vi.advanceTimersByTimeAsync(700);
    expect(ends).toHaveLength(64);
    ends[0]?.resolve(new Response());
    await vi.advanceTimersByTimeAsync(100);
    expect(ends).toHaveLength(65);
    ends[64]?.resolve(new Response("", { status: 201 }));
    expect(await later).toBe(201);
  });

  test("are refused after a wait of 800 ms, with a second to come again", async () => {
    const { ends, guarded, fill } = world();
    fill();
    const refused = guarded(address, request).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(800);
    expect(await refused).toMatchObject({ reason: "provider_busy", retryAfterSeconds: 1 });
    expect(ends).toHaveLength(64);
  });

  test("do not wait for those to another endpoint", async () => {
    const { ends, outcomeOf, fill } = world();
    fill();
    void outcomeOf("https://op.example/userinfo");
    await vi.advanceTimersByTimeAsync(0);
    expect(ends).toHaveLength(65);
  });

  test("are not made where it is known to fail", async () => {
    const { ends, outcomeOf } = world();
    const failed = outcomeOf();
    await vi.advanceTimersByTimeAsync(0);
    ends[0]?.reject(new Refusal("provider_timeout"));
    expect([await failed, await outcomeOf()]).toEqual(["provider_timeout", "provider_timeout"]);
    expect(ends).toHaveLength(1);
  });

  test("count a response that is wrong as no outage", async () => {
    const { ends, outcomeOf } = world();
    const failed = outcomeOf();
    await vi.advanceTimersByTimeAsync(0);
    ends[0]?.reject(new Refusal("response_too_large"));
    expect(await failed).toBe("response_too_large");
    void outcomeOf();
    await vi.advanceTimersByTimeAsync(0);
    expect(ends).toHaveLength(2);
  });
});
