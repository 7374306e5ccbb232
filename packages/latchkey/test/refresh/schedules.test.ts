import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { longTests } from "../long-tests.ts";
import { playSchedule } from "./play-schedule.ts";
import { faults, type Plan } from "./schedule-world.ts";

// Real deadlines would expire on a slow machine, so time is virtual here.
beforeAll(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterAll(() => void vi.useRealTimers());

/** For two places of sessions and seven faults: 10,080 schedules in `npm run ci`. */
const rounds = longTests ? 720 : 12;

const places = [
  ["that move from cookies into the store", true],
  ["in the store", false],
] as const;

describe.each(places)("two engines with sessions %s", (_, isMoving) => {
  test.each(faults)(
    "spend no token twice, sign no user out and let no ended session continue, in any order of events, while %s [OP-001, OP-002, OP-004, OP-008, OP-010, OP-012, OP-013]",
    async (fault) => {
      const failed: (Plan & { readonly broken: readonly string[] })[] = [];
      for (let seed = 1; seed <= rounds; seed += 1) {
        const plan = { seed, isMoving, fault };
        // oxlint-disable-next-line no-await-in-loop -- one schedule after the other
        const broken = await playSchedule(plan);
        if (broken.length > 0) failed.push({ ...plan, broken });
      }
      expect(failed).toEqual([]);
    },
  );
});

const [engines, requests] = longTests ? [100, 300] : [30, 90];

test.each(places)(
  `the app refreshes once per token for ${requests} concurrent requests of one user at ${engines} engines; sessions %s [OP-001, OP-002, REL-C01, ATK-014]`,
  async (_, isMoving) => {
    for (let seed = 1; seed <= (longTests ? 10 : 1); seed += 1) {
      const fault = "nothing goes wrong";
      // oxlint-disable-next-line no-await-in-loop -- one schedule after the other
      expect(await playSchedule({ seed, isMoving, fault, engines, requests })).toEqual([]);
    }
  },
);
