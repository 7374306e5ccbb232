import { setImmediate } from "node:timers/promises";

/** Time that passes only when the test lets it: everything that waits is a task with a moment. */
export interface VirtualTime {
  /** Milliseconds. */
  now(): number;
  /** @param turns of the event loop that what follows needs before time goes on */
  wait(ms: number, turns?: number): Promise<void>;
  advance(ms: number): void;
  /** Lets one task after the other happen, in the order of their moments, until all that is asked for has ended. */
  runUntil(ended: Promise<unknown>): Promise<void>;
}

interface Task {
  readonly at: number;
  readonly turns: number;
  readonly happen: () => void;
}

export function createVirtualTime(start: number): VirtualTime {
  let now = start;
  const tasks: Task[] = [];

  function add(task: Task): void {
    const place = tasks.findLastIndex(({ at }) => at <= task.at);
    tasks.splice(place + 1, 0, task);
  }

  return {
    now: () => now,
    wait: (ms, turns = 1) => new Promise((happen) => add({ at: now + ms, turns, happen })),
    advance: (ms) => void (now += ms),
    async runUntil(ended) {
      const state = { isEnded: false };
      const end = () => void (state.isEnded = true);
      ended.then(end, end);
      await setImmediate();
      while (!state.isEnded) {
        const task = tasks.shift();
        if (task !== undefined) now = Math.max(now, task.at);
        task?.happen();
        for (let turn = 0; turn < (task?.turns ?? 1); turn += 1) {
          // oxlint-disable-next-line no-await-in-loop -- what follows from one task comes before the next
          await setImmediate();
        }
      }
    },
  };
}
