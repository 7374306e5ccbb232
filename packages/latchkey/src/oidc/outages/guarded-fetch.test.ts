import { expect, test } from "vitest";

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
