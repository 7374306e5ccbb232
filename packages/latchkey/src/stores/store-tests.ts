import { leaseText, type Store } from "./store.ts";

/** One requirement for every store, as a test for any runner. */
export interface StoreTest {
  readonly name: string;
  /**
   * @param store - an empty one
   * @throws {Error} which says what was expected and what came
   */
  run(store: Store): Promise<void>;
}

type Run = StoreTest["run"];
/** What is run, by its name. */
type Runs = Readonly<Record<string, Run>>;

function runsFor<T>(all: readonly T[], runOf: (one: T) => [name: string, run: Run]): Runs {
  return Object.fromEntries(all.map(runOf));
}

const soon = () => Math.floor(Date.now() / 1000) + 3600;
const past = () => Math.floor(Date.now() / 1000) - 10;
const aMinuteMs = 60_000;
const oddKeys = ["__proto__", "a b", "k|v|'\"", "x".repeat(2000), "sid|https://op|c|*", "é|ü|漢"];

const reads: Runs = {
  "get returns what was written, for several keys together and in their order": async (store) => {
    await store.set("a", "1", soon());
    await store.set("b", "2", soon());
    equal(await store.get(["b", "none", "a"]), ["2", null, "1"]);
    equal(await store.get(["", "a"]), [null, "1"]);
  },
  ...runsFor([0, 1, 15, 16, 17, 100], (count) => [
    `get returns ${count} keys together in their order`,
    async (store) => {
      const keys = Array.from({ length: count }, (_, index) => `key ${index}`);
      await Promise.all(keys.map(async (key, index) => store.set(key, `${index}`, soon())));
      const asked = keys.flatMap((key) => [key, `${key}, not there`]);
      equal(
        await store.get(asked),
        keys.flatMap((_, index) => [`${index}`, null]),
      );
    },
  ]),
  "get does not return an entry whose time has passed": async (store) => {
    await store.set("a", "1", past());
    await store.set("b", "1", soon());
    await store.set("b", "2", past());
    equal(await store.get(["a", "b"]), [null, null]);
  },
  ...runsFor(oddKeys, (key) => [
    `get and set take ${key.slice(0, 30)} for a key like any other`,
    async (store) => {
      await store.set(key, "v", soon());
      equal(await store.get([key, `${key}x`]), ["v", null]);
    },
  ]),
};

const writes: Runs = {
  "set replaces what was there": async (store) => {
    await store.set("a", "1", soon());
    await store.set("a", "2", soon());
    equal(await store.get(["a"]), ["2"]);
  },
  "set keeps an empty text and a long one as they are": async (store) => {
    const long = "x".repeat(100_000);
    await store.set("empty", "", soon());
    await store.set("long", long, soon());
    equal(await store.get(["empty", "long"]), ["", long]);
  },
  "set and add take a time that is no whole second": async (store) => {
    await store.set("a", "1", soon() + 0.5);
    equal(await store.add("b", "1", soon() + 0.5), true);
    equal(await store.get(["a", "b"]), ["1", "1"]);
  },
  "delete removes an entry, and is no fault where there is none": async (store) => {
    await store.set("a", "1", soon());
    await store.delete("a");
    await store.delete("a");
    equal(await store.get(["a"]), [null]);
  },
  "add writes only where nothing is": async (store) => {
    equal(await store.add("a", "1", soon()), true);
    equal(await store.add("a", "2", soon()), false);
    equal(await store.get(["a"]), ["1"]);
  },
  "add writes over an entry whose time has passed": async (store) => {
    await store.set("a", "1", past());
    equal(await store.add("a", "2", soon()), true);
    equal(await store.get(["a"]), ["2"]);
  },
  "of many that add the same key at the same moment, one succeeds": async (store) => {
    const added = await fifty((each) => store.add("a", each, soon()));
    equal(added.filter(Boolean).length, 1);
    equal(await store.get(["a"]), [`${added.indexOf(true)}`]);
  },
};

const swaps: Runs = {
  "swap writes where exactly the expected text lies, and nowhere else": async (store) => {
    await store.set("a", "1", soon());
    equal(await store.swap("a", "2", "3", soon()), "changed");
    equal(await store.swap("a", "", "3", soon()), "changed");
    equal(await store.get(["a"]), ["1"]);
    equal(await store.swap("a", "1", "2", soon()), "done");
    equal(await store.get(["a"]), ["2"]);
  },
  "swap brings nothing back that was deleted [ATK-009]": async (store) => {
    equal(await store.swap("a", "", "1", soon()), "absent");
    await store.set("a", "1", soon());
    await store.delete("a");
    equal(await store.swap("a", "1", "2", soon()), "absent");
    equal(await store.get(["a"]), [null]);
  },
  "swap finds nothing where an entry has expired": async (store) => {
    await store.set("a", "1", past());
    equal(await store.swap("a", "1", "2", soon()), "absent");
    equal(await store.get(["a"]), [null]);
  },
  "swap gives the entry its new time": async (store) => {
    await store.set("a", "1", soon());
    equal(await store.swap("a", "1", "2", past()), "done");
    equal(await store.get(["a"]), [null]);
  },
  "swap to a time long past removes the entry, and nothing hinders a new one": async (store) => {
    await store.set("a", "1", soon());
    equal(await store.swap("a", "1", "", 1), "done");
    equal(await store.get(["a"]), [null]);
    equal(await store.swap("a", "1", "", 1), "absent");
    equal(await store.add("a", "2", soon()), true);
    equal(await store.get(["a"]), ["2"]);
  },
  "swap is done where the same swap was done before and its answer was lost": async (store) => {
    await store.set("a", "1", soon());
    await store.swap("a", "1", "2", soon());
    equal(await store.swap("a", "1", "2", soon()), "done");
    await store.swap("a", "2", "3", soon());
    equal(await store.swap("a", "1", "2", soon()), "changed");
    equal(await store.get(["a"]), ["3"]);
  },
  "of many that swap the same text at the same moment, one succeeds": async (store) => {
    await store.set("a", "start", soon());
    const results = await fifty((each) => store.swap("a", "start", each, soon()));
    equal(results.filter((result) => result === "done").length, 1);
    equal(results.filter((result) => result === "changed").length, 49);
    equal(await store.get(["a"]), [`${results.indexOf("done")}`]);
  },
};

const leases: Runs = {
  "lease grants a key to one owner, whom get names": async (store) => {
    equal(await store.lease("a", "one", aMinuteMs), true);
    equal(await store.lease("a", "other", aMinuteMs), false);
    equal(await store.get(["a"]), [leaseText("one")]);
  },
  "lease grants nothing where a text lies": async (store) => {
    await store.set("a", "1", soon());
    equal(await store.lease("a", "one", aMinuteMs), false);
    equal(await store.get(["a"]), ["1"]);
  },
  "lease grants a key again when its milliseconds have passed": async (store) => {
    equal(await store.lease("a", "one", 50), true);
    await pause(80);
    equal(await store.get(["a"]), [null]);
    equal(await store.lease("a", "other", aMinuteMs), true);
    await store.release("a", "one");
    equal(await store.get(["a"]), [leaseText("other")]);
  },
  "of many that lease the same key at the same moment, one succeeds": async (store) => {
    const granted = await fifty((each) => store.lease("a", each, aMinuteMs));
    equal(granted.filter(Boolean).length, 1);
  },
  "release gives back only what its owner holds": async (store) => {
    await store.lease("a", "one", aMinuteMs);
    await store.release("a", "other");
    equal(await store.lease("a", "other", aMinuteMs), false);
    await store.release("a", "one");
    equal(await store.lease("a", "other", aMinuteMs), true);
  },
  "release leaves a text that is no lease where it is": async (store) => {
    await store.set("a", "1", soon());
    await store.release("a", "one");
    equal(await store.get(["a"]), ["1"]);
  },
};

const indexes: Runs = {
  "members returns what joined an index and did not leave it, each once, and no others": async (
    store,
  ) => {
    await store.join("i", "a", soon());
    await store.join("i", "b", soon());
    await store.join("i", "b", soon());
    await store.join("i", "c", soon());
    await store.join("i|", "d", soon());
    await store.leave("i", "c");
    await store.leave("none", "c");
    equal([...(await store.members("i"))].toSorted(), ["a", "b"]);
    equal(await store.members("none"), []);
  },
  "a key that leaves an index stays in another": async (store) => {
    await store.join("i", "a", soon());
    await store.join("j", "a", soon());
    await store.leave("j", "a");
    equal(await store.members("i"), ["a"]);
    equal(await store.members("j"), []);
  },
  "members leaves out those whose time has passed": async (store) => {
    await store.join("i", "a", past());
    equal(await store.members("i"), []);
    await store.join("i", "b", soon());
    await store.join("i", "c", soon());
    await store.join("i", "c", past());
    equal(await store.members("i"), ["b"]);
    await store.join("i", "a", soon());
    equal([...(await store.members("i"))].toSorted(), ["a", "b"]);
  },
  "a member need not be an entry, and an entry is no member": async (store) => {
    await store.set("a", "1", soon());
    equal(await store.members("a"), []);
    await store.join("i", "none", soon());
    equal(await store.get(["none", "i"]), [null, null]);
    await store.delete("none");
    equal(await store.members("i"), ["none"]);
  },
  "members returns all of a thousand": async (store) => {
    const keys = Array.from({ length: 1000 }, (_, index) => `${index}`);
    await Promise.all(keys.map(async (key) => store.join("i", key, soon())));
    equal(new Set(await store.members("i")).size, 1000);
  },
};

/** The requirements for every store. Run each test with a new store, or with an empty one. */
export const storeTests: readonly StoreTest[] = Object.entries({
  ...reads,
  ...writes,
  ...swaps,
  ...leases,
  ...indexes,
}).map(([name, run]) => ({ name, run }));

function equal(actual: unknown, expected: unknown): void {
  const [came, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (came !== wanted) throw new Error(`expected ${wanted}, but got ${came}`);
}

/** Fifty concurrent calls. */
function fifty<T>(call: (each: string) => T | Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: 50 }, async (_, index) => call(`${index}`)));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
