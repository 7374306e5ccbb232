import { expect, test } from "vitest";

import type { LogEvent } from "../../telemetry/log-event.ts";
import { createProviderClock } from "./provider-clock.ts";

const noon = Date.UTC(2027, 0, 15, 12);

function world(aheadSeconds: number) {
  let ahead = aheadSeconds;
  const events: LogEvent[] = [];
  const providerClock = createProviderClock({
    clock: () => noon + ahead * 1000,
    log: (event) => events.push(event),
    clockTolerance: 60,
  });
  const hear = (headers: Record<string, string> = { date: new Date(noon).toUTCString() }) =>
    providerClock.hear(new Response(null, { headers }));
  return { hear, fault: providerClock.fault, events, setAhead: (to: number) => void (ahead = to) };
}

test.each([60, -60, 0])("a clock %i s ahead is right", (ahead) => {
  const { hear, fault, events } = world(ahead);
  hear();
  expect([fault(), events]).toEqual([null, []]);
});

test.each([
  [61, "61 s ahead of"],
  [-3600, "3600 s behind"],
])("a clock %i s ahead is reported once, until it is right", (ahead, words) => {
  const { hear, fault, events, setAhead } = world(ahead);
  hear();
  hear();
  const message = expect.stringContaining(`The clock of this server is ${words} the provider's`);
  expect(fault()).toEqual(message);
  expect(events).toEqual([{ event: "warning", message }]);
  setAhead(0);
  hear();
  expect(fault()).toBeNull();
});

test.each<Record<string, string>>([
  { date: new Date(noon - 600_000).toUTCString(), age: "600" },
  { date: "soon" },
  {},
])("a response with %j says nothing of a wrong clock", (headers) => {
  const { hear, fault } = world(0);
  hear(headers);
  expect(fault()).toBeNull();
});
