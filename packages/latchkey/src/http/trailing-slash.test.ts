import { expect, test } from "vitest";

import { withoutTrailingSlash, withoutTrailingSlashes } from "./trailing-slash.ts";

test.each([
  ["/reports", "/reports", "/reports"],
  ["/reports/", "/reports", "/reports"],
  ["/reports//", "/reports", "/reports/"],
  ["/a//b/", "/a//b", "/a//b"],
  ["/", "", ""],
  ["", "", ""],
])("the setting %o is %o, and a request for it is for %o", (given, setting, requested) => {
  expect([withoutTrailingSlashes(given), withoutTrailingSlash(given)]).toEqual([
    setting,
    requested,
  ]);
});
