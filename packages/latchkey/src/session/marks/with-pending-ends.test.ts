import { expect, test } from "vitest";

import { memoryStore } from "../../stores/memory.ts";
import { withPendingEnds } from "./pending-ends.ts";

const pendingEnds = (...sessions: string[]) => ({
  add: () => true,
  has: (session: string) => sessions.includes(session),
  size: () => sessions.length,
});

test("a pending sign-out counts beside the marks in the store [OP-023]", async () => {
  const store = memoryStore();
  await store.set("sub|tag", "1", 9e9);
  const keys = ["id|ada", "id|ben", "sub|tag"];
  expect(await withPendingEnds(store, pendingEnds("ada")).get(keys)).toEqual(["", null, "1"]);
  expect(await withPendingEnds(store, pendingEnds()).get(keys)).toEqual([null, null, "1"]);
});
