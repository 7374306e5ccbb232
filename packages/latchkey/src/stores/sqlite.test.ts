import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import {
  afterAll,
  afterEach,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from "vitest";

import { watchEventLoop } from "../../test/own-time.ts";
import { sqliteStore } from "./sqlite.ts";
import { openDatabase, sqliteFaultOf } from "./sqlite/sqlite-file.ts";
import { prepareStatements } from "./sqlite/sqlite-statements.ts";
import { passesTheSuite, past, soon } from "./store-suite.support.ts";

describe("SQLite in memory", () => {
  passesTheSuite(() => sqliteStore(":memory:"));

  test("no parameter of a statement has a number: Node 22.18, which we support, cannot bind it", () => {
    const { select, ...others } = prepareStatements(openDatabase(":memory:"));
    for (const { sourceSQL } of [select(2), ...Object.values(others)])
      expect(sourceSQL).not.toMatch(/\?\d/);
  });
});

describe("SQLite in a file", () => {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-sqlite-"));
  let files = 0;
  const file = () => join(folder, "deep", "er", `${(files += 1)}.db`);
  /** A store closed at the end of its test. */
  function open(at = file()) {
    const store = sqliteStore(at);
    onTestFinished(() => store.close());
    return { at, store };
  }
  const remove = (...all: readonly string[]) => all.forEach((each) => rmSync(each));
  afterAll(() => rmSync(folder, { recursive: true }));

  passesTheSuite(() => sqliteStore(file()));

  test("an entry survives a restart", async () => {
    const at = file();
    const before = sqliteStore(at);
    await before.set("a", "1", soon);
    await before.close();
    const after = sqliteStore(at);
    expect(await after.get(["a"])).toEqual(["1"]);
    await after.close();
  });

  test("two processes with one file read each other's writes immediately", async () => {
    const { at, store: one } = open();
    const { store: other } = open(at);
    await one.set("a", "1", soon);
    expect(await other.get(["a"])).toEqual(["1"]);
    expect(await other.add("a", "2", soon)).toBe(false);
    await other.delete("a");
    expect(await one.swap("a", "1", "3", soon)).toBe("absent");
  });

  test("a removed file makes the store fail, until there is a file again", async () => {
    const { at, store } = open();
    await store.set("a", "1", soon);
    remove(at, `${at}-wal`, `${at}-shm`);
    const isGone = () => expect(() => store.get(["a"])).toThrow("The file of the store is gone.");
    await vi.waitFor(isGone, 30_000);
    expect(() => store.set("a", "2", soon)).toThrow(
      expect.objectContaining({ code: "ENOENT" }) as Error,
    );
    expect(existsSync(at)).toBe(false);
    const other = open(at).store;
    await other.set("b", "1", soon);
    await expect.poll(async () => store.get(["a", "b"])).toEqual([null, "1"]);
    await store.set("c", "1", soon);
    expect(await other.get(["c"])).toEqual(["1"]);
  });

  test("a replacing file is the store from then on", async () => {
    const { at, store } = open();
    const fresh = file();
    const elsewhere = sqliteStore(fresh);
    await store.set("a", "old", soon);
    await elsewhere.set("a", "new", soon);
    await elsewhere.close();
    remove(`${at}-wal`, `${at}-shm`);
    renameSync(fresh, at);
    await expect.poll(async () => store.get(["a"])).toEqual(["new"]);
  });

  test("what is written after the files beside it were removed is seen by other processes", async () => {
    const { at, store } = open();
    await store.set("a", "1", soon);
    remove(`${at}-wal`, `${at}-shm`);
    await store.set("b", "1", soon);
    await expect.poll(() => existsSync(`${at}-wal`)).toBe(true);
    await store.set("c", "1", soon);
    expect(keysSeenByAnother(at)).toEqual(["a", "b", "c"]);
    expect(await store.get(["a", "b", "c"])).toEqual(["1", "1", "1"]);
  });

  test("an inaccessible path makes the store fail, and the process goes on", async () => {
    const { at, store } = open();
    remove(at, `${at}-wal`, `${at}-shm`);
    symlinkSync(at, at);
    const read = async () => store.get(["a"]);
    await expect.poll(() => read().catch((error: Error) => error.message)).toContain("is gone");
    rmSync(at);
    open(at);
    await expect.poll(() => read().catch(() => "gone")).toEqual([null]);
  });

  test("a locked replacing file delays no operation", async () => {
    const { at, store } = open();
    const fresh = file();
    await sqliteStore(fresh).close();
    const locker = new DatabaseSync(fresh);
    locker.exec("PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE");
    remove(`${at}-wal`, `${at}-shm`);
    renameSync(fresh, at);
    const delays = watchEventLoop();
    const read = async () => store.get(["a"]);
    await expect.poll(() => read().catch((error: Error) => error.message)).toContain("is gone");
    await setTimeout(2000);
    expect(delays()[0]).toBeLessThan(1000);
    locker.close();
    await expect.poll(() => read().catch(() => "gone")).toEqual([null]);
  });

  test("only its owner can read the file", async () => {
    const { at, store } = open();
    await store.set("a", "1", soon);
    for (const each of [at, `${at}-wal`]) expect(statSync(each).mode & 0o077).toBe(0);
  });

  test.each([
    [0x69_69, "NFS"],
    [0xfe_53_4d_42, "SMB"],
  ])("a file on a disk of another machine is refused, and not made: %i [OP-116]", (type, name) => {
    const at = file();
    expect(() => openDatabase(at, 0, () => type)).toThrow(`lies on another (${name})`);
    expect(existsSync(at)).toBe(false);
  });

  test("a full disk is reported as such, whatever limits it [OP-112]", () => {
    const database = openDatabase(file());
    const { page_count: pages } = database.prepare("PRAGMA page_count").get() ?? {};
    database.exec(`PRAGMA max_page_count = ${Number(pages)}`);
    let fault: unknown;
    try {
      database.exec(`INSERT INTO entries VALUES ('a', '${"x".repeat(10_000)}', ${soon})`);
    } catch (error) {
      fault = sqliteFaultOf(error);
    }
    expect(fault).toBe("oom");
    database.close();
  });

  test("a file readable by others is closed to them", async () => {
    const at = file();
    writeFileSync(at, "");
    chmodSync(at, 0o644);
    await sqliteStore(at).close();
    expect(statSync(at).mode & 0o777).toBe(0o600);
  });

  test("the file is freed of expired entries beside the requests, and none waits for it [OP-113]", async () => {
    const { at, store } = open();
    for (let index = 0; index < 2048; index += 1) {
      await store.set(`k${index}`, "x", past);
      await store.join("i", `k${index}`, past);
    }
    const database = new DatabaseSync(at);
    const count = (table: string) =>
      database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"];
    await expect.poll(() => count("entries")).toBeLessThan(512);
    await expect.poll(() => count("members")).toBeLessThan(512);
    database.close();
  });

  describe("a sweep [OP-113]", () => {
    // In pairs: Node 22's own clearImmediate() counts one too few for a faked immediate,
    beforeEach(() => {
      vi.useFakeTimers({
        toFake: ["setImmediate", "clearImmediate", "setInterval", "clearInterval"],
      });
    });
    afterEach(() => void vi.useRealTimers());

    /** A store in whose file a thousand entries have expired before it was opened. */
    function openOld() {
      const at = file();
      void sqliteStore(at).close();
      const database = new DatabaseSync(at);
      database.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
        INSERT INTO entries SELECT 'k' || i, 'x', ${past} FROM n`);
      const left = () =>
        Number(
          database.prepare("SELECT count(*) AS n FROM entries WHERE key LIKE 'k%'").get()?.["n"],
        );
      return { store: sqliteStore(at), left, database };
    }

    test("runs within a minute of the start, even without writes", () => {
      const { store, left, database } = openOld();
      vi.advanceTimersByTime(59_000);
      expect(left()).toBe(0);
      database.close();
      void store.close();
    });

    test("comes between the requests, and takes little at a time", () => {
      const { store, left, database } = openOld();
      for (let writes = 0; writes < 256; writes += 1) void store.set("a", "1", soon);
      const seen = [left()];
      for (let slice = 0; slice < 3; slice += 1) {
        vi.advanceTimersToNextTimer();
        seen.push(left());
      }
      expect(seen).toEqual([1000, 872, 744, 616]);
      database.close();
      void store.close();
    });
  });

  test("while another process holds the lock, reads go on, writes wait beside them, and nothing blocks [OP-111]", async () => {
    const { at, store } = open();
    await store.set("a", "1", soon);
    const other = new DatabaseSync(at);
    other.exec("BEGIN IMMEDIATE");
    const start = performance.now();
    const writes = Array.from({ length: 20 }, async (_, index) =>
      store.set(`b${index}`, "1", soon),
    );
    expect(await store.get(["a"])).toEqual(["1"]);
    // A driver with a blocking wait would take a second at least for each of the twenty.
    expect(performance.now() - start).toBeLessThan(10_000);
    await setTimeout(30);
    expect(await store.get(["a", "b1"])).toEqual(["1", null]);
    other.exec("COMMIT");
    await Promise.all(writes);
    expect(await store.get(["b1", "b19"])).toEqual(["1", "1"]);
    other.exec("BEGIN IMMEDIATE");
    await expect(Promise.resolve(store.set("a", "2", soon))).rejects.toThrow("locked");
    other.exec("ROLLBACK");
    other.close();
  });
});

/** Read by another process: those of one process share more than the files. */
function keysSeenByAnother(at: string): unknown {
  const text = `
    const { DatabaseSync } = require("node:sqlite");
    const rows = new DatabaseSync(${JSON.stringify(at)}).prepare("SELECT key FROM entries ORDER BY key").all();
    console.log(JSON.stringify(rows.map(({ key }) => key)));`;
  return JSON.parse(execFileSync(process.execPath, ["-e", text], { encoding: "utf8" }));
}
