import { expect, test } from "vitest";

import { withDecisions } from "./decision-list.ts";

test("the list of decisions is written anew, however often a merge has repeated it", () => {
  const page =
    "# Decisions\n\n| | |\n| - | - |\n| [0001](a.md) | A |\n\n| | |\n| [0001](a.md) | A |\n\nEnd.\n";
  const records = new Map([
    ["0002-b.md", "# 0002 Bread\n\nText.\n"],
    ["0001-a.md", "# 0001 Apples\n"],
  ]);
  expect(withDecisions(page, records)).toBe(
    "# Decisions\n\n|  |  |\n| - | - |\n| [0001](0001-a.md) | Apples |\n| [0002](0002-b.md) | Bread |\n\nEnd.\n",
  );
});
