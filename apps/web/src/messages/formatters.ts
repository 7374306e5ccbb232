import { keepLatest } from "./keep-latest.ts";

/*
 * Making a formatter takes many times as long as using it, and leaves much memory behind outside of the heap.
 */

/** Moments, for pages and for the scripts in them. */
export const dateTimeFormat = keepLatest(
  (...given: ConstructorParameters<typeof Intl.DateTimeFormat>) =>
    new Intl.DateTimeFormat(...given),
);
