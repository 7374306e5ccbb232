import type { Status } from "latchkey";
import { expect, test, vi } from "vitest";

import { createOperationState } from "./operation-state.ts";

test("listening pages are released at the start of the drain, which would wait for them [OP-060]", () => {
  const state = createOperationState();
  const endStreams = vi.fn<() => void>();
  state.started({ status: () => Promise.reject(new Error("noObservers asks")), endStreams });
  expect([state.status(), endStreams.mock.calls]).toEqual(["ready", []]);
  state.draining();
  expect([state.status(), endStreams.mock.calls]).toEqual(["draining", [[]]]);
});

test("the end may begin before the start is over", () => {
  const state = createOperationState();
  state.draining();
  expect(state.status()).toBe("draining");
});

test("sign-outs that the store does not know are counted, zero before the start", async () => {
  const state = createOperationState();
  expect(await state.pendingSignOuts()).toBe(0);
  const status = { pendingSignOuts: 3 } as Status;
  state.started({ status: async () => status, endStreams: () => undefined });
  expect(await state.pendingSignOuts()).toBe(3);
});
