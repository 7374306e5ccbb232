import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { playSchedule } from "./play-schedule.ts";
import { faults, type Plan } from "./schedule-world.ts";

// Deadlines of real time would expire where the machine is slow: here time is virtual.
beforeAll(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterAll(() => void vi.useRealTimers());

/** Two places of sessions, seven faults: together 10,080 schedules. */
const rounds = 720;

describe.each([
  ["in cookies", false],
  ["in the store", true],
])("two engines with sessions %s", (_, isStateful) => {
  test.each(faults)(
    "spend no token twice, sign nobody out and let nobody stay in, in any order of events, while %s [OP-001, OP-002, OP-004, OP-008, OP-010, OP-012, OP-013]",
    async (fault) => {
      const failed: (Plan & { readonly broken: readonly string[] })[] = [];
      for (let seed = 1; seed <= rounds; seed += 1) {
        const plan = { seed, isStateful, fault };
        // oxlint-disable-next-line no-await-in-loop -- one schedule after the other
        const broken = await playSchedule(plan);
        if (broken.length > 0) failed.push({ ...plan, broken });
      }
      expect(failed).toEqual([]);
    },
  );
});

test.each([
  ["in cookies", false],
  ["in the store", true],
])(
  "a hundred engines that get 300 requests of one person together spend each token once; sessions %s [OP-001, OP-002]",
  async (_, isStateful) => {
    for (let seed = 1; seed <= 5; seed += 1) {
      const fault = "nothing goes wrong";
      // oxlint-disable-next-line no-await-in-loop -- one schedule after the other
      expect(await playSchedule({ seed, isStateful, fault, engines: 100, requests: 300 })).toEqual(
        [],
      );
    }
  },
);
