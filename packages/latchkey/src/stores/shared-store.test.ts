import { expect, test } from "vitest";

import { checkSharedStore } from "./shared-store.ts";

test.each(["memory", "sqlite"])(
  "several instances are refused with a store of the kind %s [OP-068]",
  (kind) => {
    expect(() => checkSharedStore(kind, 2)).toThrow(
      `LATCHKEY_STORE / store: is for one machine, but LATCHKEY_INSTANCES says 2 (seen: ${kind}:). Name a store that all`,
    );
  },
);

test.each([
  ["memory", 1],
  ["sqlite", undefined],
  ["redis", 2],
  [undefined, 2],
])("a store of the kind %s will do for %s instances", (kind, instances) => {
  expect(() => checkSharedStore(kind, instances)).not.toThrow();
});
