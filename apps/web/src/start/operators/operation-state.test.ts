import { expect, test, vi } from "vitest";

import { createOperationState } from "./operation-state.ts";

test("pages that listen are let go when the end begins: it would wait for them [OP-060]", () => {
  const state = createOperationState();
  const endStreams = vi.fn<() => void>();
  state.started({ status: () => Promise.reject(new Error("nobody asks")), endStreams });
  expect([state.status(), endStreams.mock.calls]).toEqual(["ready", []]);
  state.draining();
  expect([state.status(), endStreams.mock.calls]).toEqual(["draining", [[]]]);
});

test("the end may begin before the start is over", () => {
  const state = createOperationState();
  state.draining();
  expect(state.status()).toBe("draining");
});
