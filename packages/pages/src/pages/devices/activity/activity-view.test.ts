import { expect, test } from "vitest";

import { activityView } from "./activity-view.ts";

const event = {
  at: 1_779_112_920,
  count: 1,
  isByCurrent: false,
  isCurrent: false,
  connection: null,
  device: null,
  browser: null,
} as const;

test.each([
  ["sign-in-refused", "7F3K-92QD"],
  ["signed-out-by-operator", "7F3K-92QD"],
  ["signed-in", null],
  ["signed-out-elsewhere", null],
  ["expired", null],
] as const)(
  "an event has a reference if something was refused or ended by others: %s",
  (kind, shown) => {
    const [seen] = activityView([{ ...event, kind, reference: "7F3K-92QD" }]);
    expect(seen?.reference).toBe(shown);
  },
);

test("an event says what its device is, as the list of devices does", () => {
  const [shown] = activityView([
    {
      kind: "signed-in",
      at: 1_779_112_920,
      count: 1,
      isByCurrent: false,
      isCurrent: true,
      connection: null,
      browser: null,
      device: { userAgent: "curl/8.5.0", name: "", network: null },
      reference: null,
    },
  ]);
  expect(shown?.device).toEqual({ kind: "terminal" });
});
