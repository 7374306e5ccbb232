import { describe, expect, test } from "vitest";

import { memoryStore } from "../stores/memory.ts";
import type { Store } from "../stores/store.ts";
import { type Candidate, createEndedList } from "./ended-list.ts";

const keepSeconds = 1000;
const party = { issuer: "https://op.example", client: "app" };
const session: Candidate = { id: "session-1", sid: "sid-1", sub: "ada", started: 5000 };

function world(at = 10_000) {
  let now = at;
  const clock = () => now;
  const store = memoryStore(clock);
  const listOf = (others: Partial<typeof party> = {}) =>
    createEndedList({ store, party: { ...party, ...others }, keepSeconds, clock });
  return { store, list: listOf(), listOf, setClock: (ms: number) => void (now = ms) };
}

describe("a session is dead", () => {
  test("when it was ended itself", async () => {
    const { list } = world();
    expect(await list.isEnded(session)).toBe(false);
    await list.endSession("session-1");
    expect(await list.isEnded(session)).toBe(true);
    expect(await list.isEnded({ ...session, id: "session-2" })).toBe(false);
  });

  test("when its provider session was ended, and no other of the same person [STD-109]", async () => {
    const { list } = world();
    await list.endProviderSession("sid-1");
    expect(await list.isEnded(session)).toBe(true);
    expect(await list.isEnded({ ...session, sid: "sid-2" })).toBe(false);
    expect(await list.isEnded({ ...session, sid: undefined })).toBe(false);
  });

  test("when all sessions of its person were ended, and nobody else's [STD-109]", async () => {
    const { list } = world();
    await list.endPerson("ada");
    expect(await list.isEnded(session)).toBe(true);
    expect(await list.isEnded({ ...session, sid: undefined, id: undefined })).toBe(true);
    expect(await list.isEnded({ ...session, sub: "ben" })).toBe(false);
  });
});

describe("the time of the mark decides", () => {
  test.each([
    [9999, true],
    [10_000, false],
    [10_001, false],
  ])(
    "a sign-in started at %i ms, the mark at 10,000 ms: dead %s [STD-111]",
    async (started, dead) => {
      const { list } = world(10_000);
      await list.endPerson("ada");
      await list.endProviderSession("sid-1");
      expect(await list.isEnded({ ...session, started })).toBe(dead);
    },
  );

  test("a later sign-in revives nothing: the older session stays dead", async () => {
    const { list, setClock } = world(10_000);
    await list.endPerson("ada");
    setClock(20_000);
    expect(await list.isEnded({ ...session, id: "session-2", started: 15_000 })).toBe(false);
    expect(await list.isEnded(session)).toBe(true);
  });

  test("a second mark reaches further than the first", async () => {
    const { list, setClock } = world(10_000);
    await list.endPerson("ada");
    setClock(20_000);
    await list.endPerson("ada");
    expect(await list.isEnded({ ...session, started: 15_000 })).toBe(true);
  });

  test("a sid that the provider uses again hurts nobody", async () => {
    const { list } = world(10_000);
    await list.endProviderSession("sid-1");
    expect(await list.isEnded({ ...session, started: 10_500 })).toBe(false);
  });
});

describe("marks", () => {
  test("of another issuer or client concern nobody here [STD-114]", async () => {
    const { list, listOf } = world();
    await listOf({ issuer: "https://other.example" }).endPerson("ada");
    await listOf({ client: "other" }).endProviderSession("sid-1");
    expect(await list.isEnded(session)).toBe(false);
  });

  test("a sub that looks like a sid ends no provider session", async () => {
    const { list } = world();
    await list.endPerson("sid-1");
    expect(await list.isEnded(session)).toBe(false);
  });

  test("are kept for the longest life of a session, in seconds [CONF-08]", async () => {
    const { list, setClock } = world(10_000);
    await list.endPerson("ada");
    setClock(10_000 + keepSeconds * 1000 - 1);
    expect(await list.isEnded(session)).toBe(true);
    setClock(10_000 + keepSeconds * 1000);
    expect(await list.isEnded(session)).toBe(false);
  });

  test("of one question are read in one call to the store", async () => {
    const asked: (readonly string[])[] = [];
    const { store } = world();
    const counting: Store = { ...store, get: (keys) => (asked.push(keys), store.get(keys)) };
    const list = createEndedList({ store: counting, party, keepSeconds, clock: () => 0 });
    await list.isEnded(session);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toHaveLength(3);
  });

  test("a store that answers later is waited for", async () => {
    const { store } = world();
    const remote: Store = { ...store, get: async (keys) => store.get(keys) };
    const list = createEndedList({ store: remote, party, keepSeconds, clock: () => 10_000 });
    await list.endPerson("ada");
    expect(await list.isEnded(session)).toBe(true);
  });
});

describe("ids of logout tokens", () => {
  test("are known from when they are remembered until they expire [STD-104]", async () => {
    const { list, setClock } = world(10_000);
    expect(await list.knowsToken("jti-1")).toBe(false);
    expect(await list.rememberToken("jti-1", 60)).toBe(true);
    expect(await list.rememberToken("jti-1", 60)).toBe(false);
    expect(await list.knowsToken("jti-1")).toBe(true);
    expect(await list.knowsToken("jti-2")).toBe(false);
    setClock(60_000);
    expect(await list.knowsToken("jti-1")).toBe(false);
  });

  test("are the issuer's own", async () => {
    const { list, listOf } = world();
    await listOf({ issuer: "https://other.example" }).rememberToken("jti-1", 60);
    expect(await list.knowsToken("jti-1")).toBe(false);
  });
});
