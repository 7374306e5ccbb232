import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { memoryStore } from "../../stores/memory.ts";
import type { Store } from "../../stores/store.ts";
import type { SessionHeader } from "../session.ts";
import { createEndWatch } from "./end-watch.ts";
import { createEndedList } from "./ended-list.ts";

beforeEach(() => void vi.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => void vi.useRealTimers());

/** A watch over a store with a callback for each read. */
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
  const list = createEndedList({
    store: inner,
    keepSeconds: 1000,
    clock: Date.now,
  });
  const endWatch = createEndWatch(store);
  const told: string[] = [];
  const watch = (id: string, subTag = "user") =>
    endWatch.watch(headerOf(id, subTag), () => void told.push(id));
  return { list, watch, told, questions };
}

function headerOf(id: string, subTag: string): SessionHeader {
  const iat = Math.floor(Date.now() / 1000) - 60;
  return {
    uat: iat,
    iat,
    exp: iat + 3600,
    id,
    subTag,
    issuer: "https://op.example",
    client: "client",
  };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test("a watcher learns of the end of a session within half a second, and once", async () => {
  const { list, watch, told } = world();
  watch("one");
  watch("other");
  await list.endSession("one");
  await pass(500);
  expect(told).toEqual(["one"]);
  await pass(2000);
  expect(told).toEqual(["one"]);
});

test("a watcher learns of the end of a user", async () => {
  const { list, watch, told } = world();
  watch("one", "ada");
  watch("other", "ben");
  watch("third", "ada");
  await list.endUser("ada");
  await pass(500);
  expect(told).toEqual(["one", "third"]);
});

test("the store is read only while a page watches", async () => {
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

test("a watcher gone during a read is not called", async () => {
  let leave: () => void = () => undefined;
  const { list, watch, told } = world(() => leave());
  leave = watch("one");
  await list.endSession("one");
  await pass(500);
  expect(told).toEqual([]);
});

test("a store without an answer signs no user out, and the next look catches up [OP-096]", async () => {
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

test("many sessions are read in queries of at most 300 keys", async () => {
  const { list, watch, told, questions } = world();
  for (let index = 0; index < 250; index += 1) watch(`${index}`);
  const ended = ["0", "99", "100", "249"];
  for (const id of ended) await list.endSession(id);
  await pass(500);
  expect(questions).toEqual([300, 300, 150]);
  expect(told).toEqual(ended);
});
