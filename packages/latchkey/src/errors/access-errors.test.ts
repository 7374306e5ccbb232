import { inspect } from "node:util";
import { expect, test } from "vitest";

import { Forbidden, SignInRequired, StepUpRequired } from "./access-errors.ts";

test.each([new SignInRequired(), new Forbidden(), new StepUpRequired([], {})])(
  "%o is printed on one line and keeps its stack",
  (error) => {
    expect(inspect(error)).toBe(`${error.name}: ${error.message}`);
    expect(inspect({ error })).not.toContain("at ");
    expect(error.stack).toContain("access-errors.test.ts");
  },
);
