import { expect, test } from "vitest";

import { createBackground } from "../time/background.ts";
import { sealJSON } from "../crypto/jwe.ts";
import { deriveKeyRing } from "../crypto/key-ring.ts";
import { memoryStore } from "../stores/memory.ts";
import type { Store } from "../stores/store.ts";
import { type ActivityEntry, withEntry } from "./activity-entry.ts";
import { createRecentActivity, type RecentActivity } from "./recent-activity.ts";

const day = 86_400;

function world() {
  let seconds = 1000 * day;
  const clock = () => seconds * 1000;
  const store = memoryStore(clock);
  const secretOf = (secret: string) => deriveKeyRing([secret], "activity");
  return {
    store,
    clock,
    pass: (more: number) => void (seconds += more),
    instance(secret = "a secret of the test", over: Store = store): RecentActivity {
      const ring = secretOf(secret);
      const background = createBackground();
      return createRecentActivity({ store: over, keys: () => ring, background, clock });
    },
    entry: (more: Partial<ActivityEntry> = {}): ActivityEntry => ({
      kind: "signed-in",
      at: seconds,
      sessions: [],
      ...more,
    }),
  };
}

const add = (activity: RecentActivity, entry: ActivityEntry) =>
  activity.change("ada", (entries) => withEntry(entries, entry));
const sessionsOf = async (activity: RecentActivity) =>
  (await activity.list("ada")).flatMap(({ sessions }) => sessions);

test("what instances write at the same moment is all kept", async () => {
  const { instance, entry } = world();
  const instances = Array.from({ length: 8 }, () => instance());
  instances.forEach((each, place) => add(each, entry({ sessions: [`${place}`] })));
  await Promise.all(instances.map((each) => each.list("ada")));
  expect((await sessionsOf(instance())).toSorted()).toEqual("0 1 2 3 4 5 6 7".split(" "));
});

test("events at the same time are one write", async () => {
  const { store, instance, entry } = world();
  let writes = 0;
  const counting: Store = {
    ...store,
    add: (...given) => ((writes += 1), store.add(...given)),
    swap: (...given) => ((writes += 1), store.swap(...given)),
  };
  const activity = instance(undefined, counting);
  for (const session of "abc") add(activity, entry({ sessions: [session] }));
  expect(await sessionsOf(activity)).toHaveLength(3);
  expect(writes).toBe(1);
});

test("twenty entries are kept for thirty days after they happened, and the text goes with the last", async () => {
  const { store, instance, entry, pass } = world();
  const activity = instance();
  for (let count = 0; count < 25; count += 1) {
    add(activity, entry({ sessions: [`${count}`] }));
    pass(1);
  }
  expect(await activity.list("ada")).toHaveLength(20);
  expect((await sessionsOf(activity))[0]).toBe("24");
  pass(30 * day - 10);
  expect(await activity.list("ada")).toHaveLength(9);
  pass(10);
  expect(await activity.list("ada")).toEqual([]);
  expect(store.list("activity|")).toEqual([]);
});

test("the text of one user, put in the place of another's, is not read", async () => {
  const { store, clock, instance, entry } = world();
  const activity = instance();
  add(activity, entry());
  await activity.list("ada");
  const [text] = await store.get(["activity|ada"]);
  await store.set("activity|ben", text ?? "", clock() / 1000 + 100);
  expect(await activity.list("ben")).toEqual([]);
});

test.each(["", "garbage", "a.b.c.d.e"])("an unreadable text is written over: %j", async (text) => {
  const { store, clock, instance, entry } = world();
  await store.set("activity|ada", text, clock() / 1000 + 100);
  const activity = instance();
  expect(await activity.list("ada")).toEqual([]);
  add(activity, entry());
  expect(await activity.list("ada")).toHaveLength(1);
});

test("what another secret has sealed is forgotten", async () => {
  const { instance, entry } = world();
  const former = instance("a former secret");
  add(former, entry());
  await former.list("ada");
  expect(await instance().list("ada")).toEqual([]);
});

test("a fault of the store loses the event, and nothing after it", async () => {
  const { store, instance, entry } = world();
  let fails = true;
  const failing: Store = {
    ...store,
    get(keys) {
      if (fails) throw new Error("down");
      return store.get(keys);
    },
  };
  const activity = instance(undefined, failing);
  add(activity, entry({ sessions: ["lost"] }));
  await expect(activity.list("ada")).rejects.toThrow("down");
  fails = false;
  add(activity, entry({ sessions: ["kept"] }));
  expect(await sessionsOf(activity)).toEqual(["kept"]);
});

test("what happens while a write fails is written after it", async () => {
  const { store, instance, entry } = world();
  const failing = Promise.withResolvers<never>();
  let failures = 1;
  const failsOnce: Store = {
    ...store,
    add: (...words) => (failures-- > 0 ? failing.promise : store.add(...words)),
  };
  const activity = instance(undefined, failsOnce);
  add(activity, entry({ sessions: ["lost"] }));
  await expect.poll(() => failures).toBe(0);
  add(activity, entry({ sessions: ["kept"] }));
  failing.reject(new Error("the store is down"));
  expect(await sessionsOf(activity)).toEqual(["kept"]);
});

test("what two people did is kept apart", async () => {
  const { instance, entry } = world();
  const activity = instance();
  for (const person of ["ada", "ben"]) {
    activity.change(person, (entries) => withEntry(entries, entry({ sessions: [person] })));
    await activity.list(person);
  }
  const lists = await Promise.all([activity.list("ada"), activity.list("ben")]);
  expect(lists.flat().flatMap(({ sessions }) => sessions)).toEqual(["ada", "ben"]);
});

test("the list is in the order in which things happened, newest first", async () => {
  const { instance, entry } = world();
  const activity = instance();
  const now = 1000 * day;
  for (const at of [now - 5, now + 60, now - 9]) {
    add(activity, entry({ at, sessions: [`${at - now}`] }));
  }
  expect(await sessionsOf(activity)).toEqual(["60", "-5", "-9"]);
});

test("an empty change writes nothing", async () => {
  const { store, instance } = world();
  const activity = instance();
  activity.change("ada", (entries) => entries);
  expect(await activity.list("ada")).toEqual([]);
  expect(store.list("activity|")).toEqual([]);
});

test("an event is lost after twenty tries against the writes of others", async () => {
  const { store, instance, entry } = world();
  let tries = 0;
  const busy: Store = { ...store, add: () => ((tries += 1), false) };
  const activity = instance(undefined, busy);
  add(activity, entry());
  expect(await activity.list("ada")).toEqual([]);
  expect(tries).toBe(20);
});

test.each<[string, unknown, number]>([
  ["another kind of event", [{ kind: "unknown", at: 86_400_000, sessions: [] }], 0],
  ["no list", { kind: "signed-in", at: 86_400_000, sessions: [] }, 0],
  ["an event of ours", [{ kind: "signed-in", at: 86_400_000, sessions: [] }], 1],
])("what another version wrote is read as far as it is known: %s", async (_, entries, count) => {
  const { store, clock, instance } = world();
  const keys = deriveKeyRing(["a secret of the test"], "activity");
  await store.set("activity|ada", sealJSON(keys, { of: "ada", entries }), clock() / 1000 + 100);
  expect(await instance().list("ada")).toHaveLength(count);
});
