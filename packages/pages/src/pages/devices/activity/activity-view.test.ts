import { expect, test } from "vitest";

import { activityView } from "./activity-view.ts";

test("an event says what its device is, as the list of devices does", () => {
  const [shown] = activityView([
    {
      kind: "signed-in",
      at: 1_779_112_920,
      count: 1,
      isCurrent: true,
      device: { userAgent: "curl/8.5.0", name: "", network: null },
      reference: null,
    },
  ]);
  expect(shown?.device).toEqual({ kind: "terminal" });
});
