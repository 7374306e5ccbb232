import { setImmediate } from "node:timers/promises";

/** Time under control of the test: every wait is a task with a due time. */
export interface VirtualTime {
  /** Milliseconds. */
  now(): number;
  /** @param turns of the event loop needed by later steps before time goes on */
  wait(ms: number, turns?: number): Promise<void>;
  advance(ms: number): void;
  /** Runs the tasks in the order of their due times until the promise has settled. */
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
          // oxlint-disable-next-line no-await-in-loop -- effects of one task precede the next
          await setImmediate();
        }
      }
    },
  };
}
