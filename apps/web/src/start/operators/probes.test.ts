import { expect, onTestFinished, test } from "vitest";

import { createHTTPServer, listen } from "../../serving/http-server.ts";
import { automaticRequestTest, listenForOperators, respondStarting } from "./probes.ts";

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

test("a port for operators that is taken is told with their variables", async () => {
  const taken = createHTTPServer({ listener: respondStarting, headers: [] });
  const port = await listen(taken, 0, "localhost");
  onTestFinished(() => void taken.close());
  await expect(listenForOperators([{ port, respond: () => false }], "localhost")).rejects.toThrow(
    `Port ${port} is taken by another program. Stop that one, or choose another port with LATCHKEY_HEALTH_PORT or LATCHKEY_METRICS_PORT.`,
  );
});
