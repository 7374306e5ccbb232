import { settledWithin } from "./deadline.ts";

/** Work that goes on after the response that began it. */
export interface Background {
  /**
   * Takes over work. The caller handles its errors.
   *
   * @param kind its name for the log
   */
  run(kind: string, work: Promise<unknown>): void;
  /** A pause between tries; it ends early when all is closed, for one last try. */
  pause(ms: number): Promise<void>;
  isClosing(): boolean;
  /**
   * Ends pauses, and waits for the pending work.
   *
   * @returns the kinds of work not finished within so many milliseconds
   */
  close(ms: number): Promise<readonly string[]>;
}

/** @param waitUntil keeps the runtime alive after the response if needed, as in Workers */
export function createBackground(waitUntil?: (work: Promise<unknown>) => void): Background {
  const underWay = new Map<Promise<unknown>, string>();
  const pauses = new Set<() => void>();
  let isClosing = false;

  async function waitForAll(): Promise<void> {
    while (underWay.size > 0) {
      // oxlint-disable-next-line no-await-in-loop -- work may begin more work
      await Promise.all(underWay.keys());
    }
  }

  return {
    run(kind, work) {
      const ended = work.catch(() => undefined).finally(() => underWay.delete(ended));
      underWay.set(ended, kind);
      waitUntil?.(ended);
    },
    pause(ms) {
      if (isClosing) return Promise.resolve();
      return new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer);
          pauses.delete(end);
          resolve();
        };
        const timer = setTimeout(end, ms);
        pauses.add(end);
      });
    },
    isClosing: () => isClosing,
    async close(ms) {
      isClosing = true;
      for (const end of pauses) end();
      await settledWithin(ms, waitForAll());
      return [...underWay.values()];
    },
  };
}
