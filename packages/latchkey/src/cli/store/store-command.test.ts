import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";

import { sqliteStore } from "../../stores/sqlite.ts";
import type { Terminal } from "../command.ts";
import { runLatchkey } from "../../../test/cli/run-latchkey.ts";

const folder = mkdtempSync(join(tmpdir(), "latchkey-copies-"));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
const newFile = () => join(folder, `${(files += 1)}.db`);
const soon = Math.floor(Date.now() / 1000) + 3600;

const run = (file: string, ...args: string[]) =>
  runStore(args, { LATCHKEY_STORE: `sqlite:${file}` });

async function runStore(args: readonly string[], environment: Terminal["environment"]) {
  const { exitCode, stdout, stderr } = await runLatchkey(["store", ...args], {
    cwd: folder,
    environment,
  });
  return { text: (stdout + stderr).trim(), isGood: exitCode === 0 };
}

/** A store with a session, and a copy of it. */
async function copiedStore() {
  const [file, copy] = [newFile(), newFile()];
  const store = sqliteStore(file);
  await store.set("session|ada|1", "sealed", soon);
  await store.join("sessions-of|ada", "session|ada|1", soon);
  await store.set("id|gone", "1", soon);
  await store.close();
  expect(await run(file, "backup", copy)).toEqual({
    text: `2 entries are in ${copy}.`,
    isGood: true,
  });
  return { file, copy };
}

describe("latchkey store backup", () => {
  test("a copy made during writes has everything up to one moment, and blocks no write [OP-114]", async () => {
    const [file, copy] = [newFile(), newFile()];
    const sqlite = join(import.meta.dirname, "../../stores/sqlite.ts");
    const clock = join(import.meta.dirname, "../../../test/own-time.ts");
    const program = `
      import { ownTime } from ${JSON.stringify(clock)};
      import { sqliteStore } from ${JSON.stringify(sqlite)};
      const store = sqliteStore(${JSON.stringify(file)});
      let slowest = 0;
      process.on("disconnect", () => process.exit());
      process.on("message", () => process.send({ slowest }));
      for (let count = 0; ; count += 1) {
        const start = ownTime();
        await store.set("n|" + count, "x".repeat(2000), ${soon});
        slowest = Math.max(slowest, ownTime() - start);
        if (count === 2000) process.send("full");
        if (count % 20 === 0) await new Promise(setImmediate);
      }`;
    const flags = ["--conditions=@latchkey/source", "--input-type=module", "--eval", program];
    const writer = spawn(process.execPath, flags, {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    await once(writer, "message");
    // As an operator runs it: a process of its own.
    const main = join(import.meta.dirname, "../main.ts");
    await promisify(execFile)(
      process.execPath,
      ["--conditions=@latchkey/source", main, "store", "backup", copy],
      { env: { ...process.env, LATCHKEY_STORE: `sqlite:${file}` } },
    );
    writer.send("slowest?");
    const [{ slowest }] = (await once(writer, "message")) as [{ slowest: number }];
    writer.kill();
    expect(slowest).toBeLessThan(1000);
    const database = new DatabaseSync(copy, { readOnly: true });
    const query = "SELECT count(*) AS n, max(cast(substr(key, 3) AS INTEGER)) AS last FROM entries";
    const { n, last } = database.prepare(query).get() as { n: number; last: number };
    expect(n).toBeGreaterThan(2000);
    expect(last).toBe(n - 1);
    expect(database.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    database.close();
    expect(statSync(copy).mode & 0o777).toBe(0o600);
  });

  test("a copy takes the place of the former copy, and the command says so", async () => {
    const { file, copy } = await copiedStore();
    const { text, isGood } = await run(file, "backup", copy);
    expect(text).toMatch(/^2 entries are in .*, in place of the copy of \d{4}-\d\d-\d\dT\S+Z\.$/);
    expect(isGood).toBe(true);
  });

  test("a file other than a copy stays as it is, even the store itself", async () => {
    const { file } = await copiedStore();
    const notes = newFile();
    writeFileSync(notes, "notes");
    for (const taken of [notes, file]) {
      expect(await run(file, "backup", taken)).toEqual({
        text: `${taken} is no copy of a store: name another file.`,
        isGood: false,
      });
    }
    expect(readFileSync(notes, "utf8")).toBe("notes");
  });

  test("does not follow a link beside the copy", async () => {
    const { file } = await copiedStore();
    const [target, copy] = [newFile(), newFile()];
    writeFileSync(target, "precious");
    symlinkSync(target, `${copy}.partial`);
    expect((await run(file, "backup", copy)).isGood).toBe(true);
    expect(readFileSync(target, "utf8")).toBe("precious");
    expect(lstatSync(copy).isSymbolicLink()).toBe(false);
  });

  test.each([
    ["no store", "sqlite:/nowhere/at/all.db", /no store at/],
    ["a store that is no file", "redis://localhost", /tools of their own/],
    ["nothing", undefined, /must name the file/],
  ])(
    "with %s in LATCHKEY_STORE it explains the fault and creates nothing",
    async (_, address, text) => {
      const copy = newFile();
      const result = await runStore(["backup", copy], { LATCHKEY_STORE: address });
      expect(result).toEqual({ text: expect.stringMatching(text) as string, isGood: false });
      expect(existsSync(copy)).toBe(false);
    },
  );

  test("names the folder of a copy if it is missing", async () => {
    const { file } = await copiedStore();
    expect(await run(file, "backup", join(folder, "nowhere/copy.db"))).toEqual({
      text: `There is no folder ${join(folder, "nowhere")}: create it first.`,
      isGood: false,
    });
  });

  test("does not take a folder for a file", async () => {
    const { file } = await copiedStore();
    for (const action of ["backup", "restore"]) {
      expect(await run(file, action, folder)).toEqual({
        text: `${folder} is a folder: name a file in it.`,
        isGood: false,
      });
    }
    expect(existsSync(`${folder}.partial`)).toBe(false);
  });
});

describe("latchkey store restore [OP-114]", () => {
  test("what the store has lost comes back, and what has changed since stays", async () => {
    const { file, copy } = await copiedStore();
    const store = sqliteStore(file);
    await store.delete("session|ada|1");
    await store.leave("sessions-of|ada", "session|ada|1");
    await store.set("id|gone", "2", soon);
    await store.set("sub|ben", "3", soon);
    expect(await run(file, "restore", copy)).toMatchObject({ isGood: true });
    const keys = ["session|ada|1", "id|gone", "sub|ben"];
    expect(await store.get(keys)).toEqual(["sealed", "2", "3"]);
    expect(await store.members("sessions-of|ada")).toEqual(["session|ada|1"]);
    await store.close();
  });

  test("into another store nothing comes back unless all sessions may end", async () => {
    const { copy } = await copiedStore();
    const file = newFile();
    const refused = await run(file, "restore", copy);
    expect(refused).toMatchObject({
      isGood: false,
      text: expect.stringMatching(/--end-sessions/) as string,
    });
    const ended = await run(file, "restore", copy, "--end-sessions");
    expect(ended).toMatchObject({
      isGood: true,
      text: expect.stringMatching(/LATCHKEY_SECRET/) as string,
    });
    const store = sqliteStore(file);
    expect(await store.get(["session|ada|1", "id|gone"])).toEqual([null, "1"]);
    expect(await store.members("sessions-of|ada")).toEqual([]);
    await store.close();
  });

  test("refuses a file other than a copy", async () => {
    const { file } = await copiedStore();
    const other = newFile();
    writeFileSync(other, "no database");
    for (const from of [other, newFile(), file]) {
      expect((await run(file, "restore", from)).isGood).toBe(false);
    }
  });
});

test.each([
  ["half a command", [], false],
  ["an unknown command", ["forget", "x"], false],
  ["more than one file", ["backup", "a", "b"], false],
  ["--help", ["--help"], true],
])("%s is answered with how it is used", async (_, args, isGood) => {
  const environment = { LATCHKEY_STORE: `sqlite:${newFile()}` };
  expect(await runStore(args, environment)).toEqual({
    text: expect.stringMatching(/^Usage:/) as string,
    isGood,
  });
});
