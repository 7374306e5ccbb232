import type { Context } from "../../context.ts";

const firstMs = 20;
const longestMs = 400;
const togetherMs = 6000;

/** Waits between looks at a ticket that somebody else spends, in milliseconds: growing, with jitter, at most 6 s. */
export function* pauses({
  timing,
  fraction,
}: Pick<Context, "timing" | "fraction">): Generator<number> {
  const until = timing.monotonic() + togetherMs;
  let pauseMs = firstMs;
  for (let left = togetherMs; left > 0; left = until - timing.monotonic()) {
    yield Math.min(left, pauseMs * (0.5 + fraction()));
    pauseMs = Math.min(pauseMs * 2, longestMs);
  }
}
