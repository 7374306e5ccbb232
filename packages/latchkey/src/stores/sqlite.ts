import { leaseText, type Store, type SwapResult } from "./store.ts";
import { connectSQLite } from "./sqlite/sqlite-connection.ts";
import { sqliteFaultOf, whenFree } from "./sqlite/sqlite-file.ts";
import { type SQLiteStatements, textsOf } from "./sqlite/sqlite-statements.ts";
import { createSweep } from "./sqlite/sqlite-sweep.ts";

/** Keys in one statement; each statement takes and releases the lock of the file. */
const keysAtOnce = 16;

/**
 * Creates a store in one SQLite file, for an app on one machine. It survives restarts and crashes,
 * and several processes may share the file.
 *
 * @param file - a path on a disk of this machine, or `:memory:`
 * @param now - the clock, in epoch milliseconds
 */
export function sqliteStore(file: string, now: () => number = Date.now): Store {
  const { statements, close } = connectSQLite(file);
  const nowSeconds = () => now() / 1000;
  const sweep = createSweep(statements, nowSeconds);
  const { add, swap } = conditionalWrites(statements, nowSeconds);

  function write<T>(operation: () => T) {
    sweep.countWrite();
    return whenFree(operation);
  }

  return {
    kind: "sqlite",
    get: (keys) => whenFree(() => getAll(statements(), keys, nowSeconds())),
    set: (key, value, expiresAt) => write(() => void statements().write.run(key, value, expiresAt)),
    add: (...entry) => write(() => add(...entry)),
    swap: (...entry) => write(() => swap(...entry)),
    delete: (key) => write(() => void statements().remove.run(key)),
    lease: (key, owner, ms) => write(() => add(key, leaseText(owner), (now() + ms) / 1000)),
    release: (key, owner) =>
      write(() => void statements().removeWhereEqual.run(key, leaseText(owner))),
    join: (...member) => write(() => void statements().join.run(...member)),
    leave: (index, key) => write(() => void statements().leave.run(index, key)),
    members: (index) =>
      whenFree(() =>
        statements()
          .members.all(index, nowSeconds())
          .map(({ key }) => String(key)),
      ),
    faultOf: sqliteFaultOf,
    close() {
      sweep.stop();
      close();
    },
  };
}

function getAll(
  { select }: SQLiteStatements,
  keys: readonly string[],
  nowSeconds: number,
): readonly (string | null)[] {
  const found: (string | null)[] = [];
  for (let start = 0; start < keys.length; start += keysAtOnce) {
    const some = keys.slice(start, start + keysAtOnce);
    found.push(...textsOf(select(some.length).get(...some.flatMap((key) => [key, nowSeconds]))));
  }
  return found;
}

/** Each is one statement with a result, so no other write comes between read and write. */
function conditionalWrites(statements: () => SQLiteStatements, nowSeconds: () => number) {
  return {
    add: (key: string, value: string, expiresAt: number): boolean =>
      statements().addWhereAbsent.run(key, value, expiresAt, nowSeconds()).changes === 1,
    swap(key: string, expected: string, value: string, expiresAt: number): SwapResult {
      // `all` and not `get`: SQLite writes only after the last row was read. There is at most one
      // row.
      const now = nowSeconds();
      const { compareAndSet } = statements();
      const [row] = compareAndSet.all(expected, value, expected, expiresAt, key, now);
      if (row === undefined) return "absent";
      return row["value"] === value ? "done" : "changed";
    },
  };
}
