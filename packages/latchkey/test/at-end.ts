import { afterAll, onTestFinished, TestRunner } from "vitest";

/**
 * Ends what a test has started: with that test, or outside of one with its `describe` or file. Not for `beforeAll`,
 * which knows of neither: start it with `await` in the `describe` or the file.
 */
export function atEnd(end: () => Promise<void> | void): void {
  if (TestRunner.getCurrentTest() === undefined) afterAll(end);
  else onTestFinished(end);
}
