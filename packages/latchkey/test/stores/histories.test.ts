import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { openStore } from "../../src/stores/open-store.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import type { Store } from "../../src/stores/store.ts";
import { findPostgres, startPostgres } from "../servers/postgres.ts";
import { findRedis, startRedis } from "../servers/redis.ts";
import { seededRandom } from "../seeded-random.ts";

type Text = string | null;

/** An operation as seen from outside, and its effect on a key. */
interface Seen {
  readonly begin: number;
  readonly end: number;
  /** Returns the text afterwards, or `undefined` if the operation contradicts it. */
  readonly effect: (before: Text) => Text | undefined;
}

const soon = Math.floor(Date.now() / 1000) + 3600;
const rounds = 60;
const operationsEach = 4;

/** Whether some order explains every result, with no operation before one already finished. */
function isExplained(history: readonly Seen[], state: Text = null): boolean {
  if (history.length === 0) return true;
  const firstEnd = Math.min(...history.map(({ end }) => end));
  return history.some((each) => {
    if (each.begin > firstEnd) return false;
    const after = each.effect(state);
    return (
      after !== undefined &&
      isExplained(
        history.filter((other) => other !== each),
        after,
      )
    );
  });
}

test("the check rejects histories without a possible order, and accepts the others", () => {
  const wrote = (text: string) => () => text;
  const read = (text: Text) => (before: Text) => (before === text ? before : undefined);
  const at = (begin: number, end: number, effect: Seen["effect"]) => ({ begin, end, effect });
  expect(isExplained([at(0, 1, wrote("1")), at(2, 3, read("1"))])).toBe(true);
  expect(isExplained([at(0, 1, wrote("1")), at(2, 3, read(null))])).toBe(false);
  expect(isExplained([at(0, 3, wrote("1")), at(1, 2, read(null))])).toBe(true);
  const swapped = (before: Text) => (before === "1" ? "2" : undefined);
  expect(isExplained([at(0, 1, wrote("1")), at(2, 9, swapped), at(2, 9, swapped)])).toBe(false);
});

/** One operation, chosen by chance; every written text is new. */
async function operate(
  store: Store,
  key: string,
  text: string,
  choice: number,
): Promise<Seen["effect"]> {
  switch (choice) {
    case 0: {
      await store.set(key, text, soon);
      return () => text;
    }
    case 1: {
      const isAdded = await store.add(key, text, soon);
      return (before) => (isAdded === (before === null) ? (isAdded ? text : before) : undefined);
    }
    case 2: {
      await store.delete(key);
      return () => null;
    }
    case 3: {
      const [found = null] = await store.get([key]);
      return (before) => (before === found ? before : undefined);
    }
    default: {
      const [expected = null] = await store.get([key]);
      const result = await store.swap(key, expected ?? "none", text, soon);
      return (before) => {
        if (result === "absent") return before === null ? null : undefined;
        if (result === "done") return before === expected ? text : undefined;
        return before === null || before === expected ? undefined : before;
      };
    }
  }
}

/** The rounds whose history no order explains. */
async function unexplainedRounds(stores: readonly Store[]): Promise<readonly number[]> {
  const unexplained: number[] = [];
  const random = seededRandom(7);
  for (let round = 0; round < rounds; round += 1) {
    const key = `round ${round}`;
    const history: Seen[] = [];
    // oxlint-disable-next-line no-await-in-loop -- each round is a history of its own
    await Promise.all(
      stores.map(async (store, place) => {
        for (let count = 0; count < operationsEach; count += 1) {
          const begin = performance.now();
          // oxlint-disable-next-line no-await-in-loop -- one after the other, beside the others
          const effect = await operate(store, key, `${place}.${count}`, random(6));
          history.push({ begin, end: performance.now(), effect });
        }
      }),
    );
    if (!isExplained(history)) unexplained.push(round);
  }
  return unexplained;
}

describe("operations of concurrent clients have a possible order [OP-031]", () => {
  test("memory", async () => {
    const store = memoryStore();
    expect(await unexplainedRounds([store, store, store])).toEqual([]);
  });

  test("SQLite, one file opened three times", async () => {
    const folder = mkdtempSync(join(tmpdir(), "latchkey-histories-"));
    const address = `sqlite:${join(folder, "store.db")}`;
    const stores = await Promise.all([1, 2, 3].map(() => openStore(address)));
    expect(await unexplainedRounds(stores)).toEqual([]);
    await Promise.all(stores.map(async (store) => store.close()));
    rmSync(folder, { recursive: true });
  });

  const redis = findRedis();
  test.skipIf(redis === null)("Redis, three connections", async () => {
    const server = await startRedis(redis ?? "");
    const address = `redis://127.0.0.1:${server.port}`;
    const stores = await Promise.all([1, 2, 3].map(() => openStore(address)));
    expect(await unexplainedRounds(stores)).toEqual([]);
    await Promise.all(stores.map(async (store) => store.close()));
    await server.close();
  });

  const postgres = findPostgres();
  test.skipIf(postgres === null)("PostgreSQL, three pools", async () => {
    const server = await startPostgres(postgres ?? "");
    const stores = await Promise.all([1, 2, 3].map(() => openStore(server.url)));
    expect(await unexplainedRounds(stores)).toEqual([]);
    await Promise.all(stores.map(async (store) => store.close()));
    await server.close();
  });
});
