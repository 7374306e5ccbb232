import { expect, test } from "vitest";

import { automaticRequestTest } from "./probes.ts";

const { baseURL, pagesPrefix } = { baseURL: "https://example.com/shop", pagesPrefix: "/_auth" };

test.each([
  [`${pagesPrefix}/health/ready`, true],
  [`/shop${pagesPrefix}/health/live`, true],
  [`${pagesPrefix}/session-events`, true],
  [`/shop${pagesPrefix}/session-events`, true],
  [`${pagesPrefix}/session.json`, false],
  ["/account", false],
  ["/", false],
])("whether a request for %s comes by itself: %s [OP-060]", (url, expected) => {
  expect(automaticRequestTest({}, baseURL)({ url })).toBe(expected);
});
