import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";

import { StoreTimeout, storeFaultOf } from "./store-fault.ts";

function coded(code: string, message = "") {
  return Object.assign(new Error(message), { code });
}

test.each([
  [new StoreTimeout(1000), "timeout"],
  [coded("ECONNREFUSED"), "refused"],
  [new AggregateError([coded("ECONNREFUSED")]), "refused"],
  [coded("ETIMEDOUT"), "timeout"],
  [coded("ENOENT", "The file of the store is gone."), "refused"],
  [new Error("READONLY You can't write against a read only replica."), "read-only"],
  [new Error("OOM command not allowed when used memory > 'maxmemory'."), "oom"],
  [new Error("MISCONF Redis is configured to save RDB snapshots"), "oom"],
  [new Error("LOADING Redis is loading the dataset in memory"), "refused"],
  [new Error("Connection is closed."), "refused"],
  [new Error("Connection terminated unexpectedly"), "refused"],
  [coded("25006", "cannot execute UPDATE in a read-only transaction"), "read-only"],
  [coded("57014"), "timeout"],
  [coded("08006"), "refused"],
  [coded("42P01", 'relation "latchkey" does not exist'), "other"],
  [new Error("ERR unknown command"), "other"],
  ["text", "other"],
])("%s is %s", (error, fault) => {
  expect(storeFaultOf(error)).toBe(fault);
});

test("a file that SQLite may only read is read-only", () => {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE TABLE t (a); PRAGMA query_only = ON");
  let error: unknown;
  try {
    database.exec("INSERT INTO t VALUES (1)");
  } catch (thrown) {
    error = thrown;
  }
  expect(storeFaultOf(error)).toBe("read-only");
});
