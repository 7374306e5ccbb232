import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";

import { memoryStore } from "../memory.ts";
import { postgresStore } from "../postgres.ts";
import { redisStore } from "../redis.ts";
import { sqliteStore } from "../sqlite.ts";
import { StoreTimeout, storeFaultOf } from "./store-fault.ts";

const redis = redisStore({ sendCommand: async () => null });
const postgres = postgresStore({ query: async () => ({ rows: [] }) });
const sqlite = sqliteStore(":memory:");
const memory = memoryStore();

function coded(code: string, message = "") {
  return Object.assign(new Error(message), { code });
}

test.each([
  [memory, new StoreTimeout(1000), "timeout"],
  [memory, coded("ECONNREFUSED"), "refused"],
  [memory, new AggregateError([coded("ECONNREFUSED")]), "refused"],
  [memory, coded("ETIMEDOUT"), "timeout"],
  [memory, coded("toString"), "other"],
  [memory, "text", "other"],
  [redis, coded("ECONNREFUSED"), "refused"],
  [redis, new Error("READONLY You can't write against a read only replica."), "read-only"],
  [redis, new Error("OOM command not allowed when used memory > 'maxmemory'."), "oom"],
  [redis, new Error("MISCONF Redis is configured to save RDB snapshots"), "oom"],
  [redis, new Error("LOADING Redis is loading the dataset in memory"), "refused"],
  [redis, new AggregateError([new Error("LOADING Redis is loading")]), "refused"],
  [redis, new Error("Connection is closed."), "refused"],
  [redis, new Error("ERR unknown command"), "other"],
  [sqlite, coded("ENOENT", "The file of the store is gone."), "refused"],
  [postgres, new Error("Connection terminated unexpectedly"), "refused"],
  [postgres, coded("25006", "cannot execute UPDATE in a read-only transaction"), "read-only"],
  [postgres, coded("57014"), "timeout"],
  [postgres, coded("55P03", "canceling statement due to lock timeout"), "read-only"],
  [postgres, coded("08006"), "refused"],
  [postgres, coded("42P01", 'relation "latchkey" does not exist'), "other"],
])("of the store %o, %s is %s", (store, error, fault) => {
  expect(storeFaultOf(store, error)).toBe(fault);
});

test("a read-only SQLite file is read-only", () => {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE TABLE t (a); PRAGMA query_only = ON");
  let error: unknown;
  try {
    database.exec("INSERT INTO t VALUES (1)");
  } catch (thrown) {
    error = thrown;
  }
  expect(storeFaultOf(sqlite, error)).toBe("read-only");
});
