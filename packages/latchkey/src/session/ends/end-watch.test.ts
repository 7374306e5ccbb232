import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { memoryStore } from "../../stores/memory.ts";
import type { Store } from "../../stores/store.ts";
import type { SessionHeader } from "../session.ts";
import { createEndWatch } from "./end-watch.ts";
import { createEndedList } from "./ended-list.ts";

beforeEach(() => void vi.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => void vi.useRealTimers());

/** A watch over a store that may ask something of its own with each question. */
function world(onGet: (keys: readonly string[]) => void = () => undefined) {
  const inner = memoryStore(Date.now);
  const questions: number[] = [];
  const store: Store = {
    ...inner,
    get(keys) {
      questions.push(keys.length);
      onGet(keys);
      return inner.get(keys);
    },
  };
  const registration = { issuer: "https://op.example", client: "client" };
  const list = createEndedList({
    store: inner,
    registration,
    keepSeconds: 1000,
    clock: Date.now,
    sharedClock: async () => Date.now(),
  });
  const endWatch = createEndWatch(store, Date.now);
  const told: string[] = [];
  const watch = (id: string, subTag = "user") =>
    endWatch.watch(headerOf(id, subTag), () => void told.push(id));
  return { list, watch, told, questions };
}

function headerOf(id: string, subTag: string): SessionHeader {
  const iat = Math.floor(Date.now() / 1000) - 60;
  return { uat: iat, iat, exp: iat + 3600, id, subTag };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test("whoever watches a session is told of its end within half a second, and once", async () => {
  const { list, watch, told } = world();
  watch("one");
  watch("other");
  await list.endSession("one");
  await pass(500);
  expect(told).toEqual(["one"]);
  await pass(2000);
  expect(told).toEqual(["one"]);
});

test("the end of a user is told to whoever watches a session of theirs", async () => {
  const { list, watch, told } = world();
  watch("one", "ada");
  watch("other", "ben");
  watch("third", "ada");
  await list.endUser("ada");
  await pass(500);
  expect(told).toEqual(["one", "third"]);
});

test("an end that was asked for earlier is told when it comes", async () => {
  const { list, watch, told } = world();
  watch("one");
  await list.endSessionLater("one", { at: Date.now() / 1000 + 2, by: "other" });
  await pass(1500);
  expect(told).toEqual([]);
  await pass(500);
  expect(told).toEqual(["one"]);
});

test("the store is asked while somebody watches, and no longer", async () => {
  const { watch, questions } = world();
  const leave = watch("one");
  watch("other")();
  await pass(1000);
  expect(questions).toEqual([3, 3]);
  leave();
  await pass(1000);
  expect(questions).toHaveLength(2);
  watch("third");
  await pass(500);
  expect(questions).toHaveLength(3);
});

test("whoever has left while the store was asked is told nothing", async () => {
  let leave: () => void = () => undefined;
  const { list, watch, told } = world(() => leave());
  leave = watch("one");
  await list.endSession("one");
  await pass(500);
  expect(told).toEqual([]);
});

test("a store that does not answer signs nobody out, and the next look catches up [OP-096]", async () => {
  let isDown = true;
  const { list, watch, told } = world(() => {
    if (isDown) throw new Error("the store is down");
  });
  watch("one");
  await list.endSession("one");
  await pass(1000);
  expect(told).toEqual([]);
  isDown = false;
  await pass(500);
  expect(told).toEqual(["one"]);
});

test("many sessions are asked for in questions of at most 300 keys", async () => {
  const { list, watch, told, questions } = world();
  for (let index = 0; index < 250; index += 1) watch(`${index}`);
  const ended = ["0", "99", "100", "249"];
  for (const id of ended) await list.endSession(id);
  await pass(500);
  expect(questions).toEqual([300, 300, 150]);
  expect(told).toEqual(ended);
});
