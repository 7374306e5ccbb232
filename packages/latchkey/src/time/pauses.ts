import type { Timing } from "./deadline.ts";

const firstMs = 20;
const longestMs = 400;
const togetherMs = 6000;

/**
 * Waits between looks at the work of another request, in milliseconds: growing, with jitter, 6 s
 * in total.
 */
export function* pauses({
  timing,
  fraction,
}: {
  readonly timing: Pick<Timing, "monotonic">;
  readonly fraction: () => number;
}): Generator<number> {
  const until = timing.monotonic() + togetherMs;
  let pauseMs = firstMs;
  for (let left = togetherMs; left > 0; left = until - timing.monotonic()) {
    yield Math.min(left, pauseMs * (0.5 + fraction()));
    pauseMs = Math.min(pauseMs * 2, longestMs);
  }
}
