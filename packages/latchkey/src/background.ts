/** Work that goes on after the response that began it. */
export interface Background {
  /** Takes work over; whoever hands it in has seen to its errors. */
  run(work: Promise<unknown>): void;
  /** Resolves when all of it has ended. */
  settled(): Promise<void>;
}

/** @param waitUntil keeps a runtime alive that would stop with the response, as that of Workers does */
export function createBackground(waitUntil?: (work: Promise<unknown>) => void): Background {
  const underWay = new Set<Promise<unknown>>();
  return {
    run(work) {
      const ended = work.catch(() => undefined).finally(() => underWay.delete(ended));
      underWay.add(ended);
      waitUntil?.(ended);
    },
    async settled() {
      while (underWay.size > 0) {
        // oxlint-disable-next-line no-await-in-loop -- work may begin more work
        await Promise.all(underWay);
      }
    },
  };
}
