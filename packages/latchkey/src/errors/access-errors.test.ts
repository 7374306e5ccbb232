import { inspect } from "node:util";
import { expect, test } from "vitest";

import { Forbidden, sentenceOf, SignInRequired, StepUpRequired } from "./access-errors.ts";

test.each([new SignInRequired(), new Forbidden(), new StepUpRequired([], {})])(
  "%o is printed on one line and keeps its stack",
  (error) => {
    expect(inspect(error)).toBe(`${error.name}: ${error.message}`);
    expect(inspect({ error })).not.toContain("at ");
    expect(error.stack).toContain("access-errors.test.ts");
  },
);

test.each([
  ["0", "1 second"],
  ["60", "1 minute"],
  ["90", "1 minute 30 seconds"],
  ["7200", "2 hours"],
  ["86400", "1 day"],
  ["90000", "1 day 1 hour"],
  ["86460", "1 day"],
])("the age of a sign-in, %s seconds, is called %s", (seconds, words) => {
  const sentence = sentenceOf({ part: "maxAge", required: [seconds] });
  expect(sentence).toBe(`It needs a sign-in less than ${words} ago.`);
});
