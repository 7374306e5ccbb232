import { afterAll, onTestFinished, TestRunner } from "vitest";

/**
 * Ends a resource with its test, or with its `describe` or file if started outside a test. Not for
 * `beforeAll`, which knows neither: use `await` in the `describe` or the file instead.
 */
export function atEnd(end: () => Promise<void> | void): void {
  if (TestRunner.getCurrentTest() === undefined) afterAll(end);
  else onTestFinished(end);
}
