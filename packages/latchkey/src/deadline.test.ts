import { expect, test } from "vitest";

import { withDeadline } from "./deadline.ts";

const late = () => "late";

/** Keeps the event loop busy: nothing is read or sent meanwhile. */
function block(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

test("work that needs a few turns of the event loop is in time, also where each turn takes longer than the deadline", async () => {
  async function workInTurns(): Promise<string> {
    for (let turns = 0; turns < 3; turns += 1) {
      await new Promise(setImmediate);
      block(60);
    }
    return "done";
  }
  expect(await withDeadline(50, workInTurns(), late)).toBe("done");
});

test("work that never ends is late", async () => {
  expect(await withDeadline(50, new Promise(() => undefined), late)).toBe("late");
});
