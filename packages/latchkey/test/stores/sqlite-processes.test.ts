import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

import { sqliteStore } from "../../src/stores/sqlite.ts";

const processes = 8;
const rounds = 10;
const sqliteModule = JSON.stringify(join(import.meta.dirname, "../../src/stores/sqlite.ts"));
const flags = ["--conditions=@latchkey/source", "--input-type=module", "--eval"];
const soon = Math.floor(Date.now() / 1000) + 3600;

/**
 * Opens a new file at a moment known to all processes, and adds one key. Each round has one winner.
 */
const program = `
import { sqliteStore } from ${sqliteModule};
const [, folder, start, me] = process.argv;
for (let round = 0; round < ${rounds}; round += 1) {
  while (Date.now() < Number(start) + round * 250) await new Promise((go) => setTimeout(go, 1));
  const store = sqliteStore(folder + "/" + round + ".db");
  if (await store.add("winner", me, ${soon})) console.log(round);
  await store.set("process " + me, "1", ${soon});
  store.close();
}
`;

test("eight processes open a new file at the same moment and write to it, with one winner [OP-110]", async () => {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-processes-"));
  const start = `${Date.now() + 2500}`;
  const runs = Array.from({ length: processes }, async (_, me) => {
    const child = spawn(process.execPath, [...flags, program, folder, start, `${me}`]);
    let said = "";
    let complained = "";
    child.stdout.on("data", (piece) => (said += String(piece)));
    child.stderr.on("data", (piece) => (complained += String(piece)));
    const [code]: unknown[] = await once(child, "close");
    expect([code, complained.includes("Error") ? complained : ""]).toEqual([0, ""]);
    return said.split("\n").filter(Boolean);
  });
  const winners = (await Promise.all(runs)).flat();
  expect(winners.map(Number).toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: rounds }, (_, round) => round),
  );
  const store = sqliteStore(join(folder, "0.db"));
  const keys = Array.from({ length: processes }, (_, me) => `process ${me}`);
  expect(await store.get(keys)).toEqual(keys.map(() => "1"));
  await store.close();
  rmSync(folder, { recursive: true });
});

test("a new process waits while another one creates the file [OP-110]", async () => {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-made-"));
  const file = join(folder, "sessions.db");
  const making = `
    import { DatabaseSync } from "node:sqlite";
    const database = new DatabaseSync(process.argv[1]);
    database.exec("BEGIN IMMEDIATE; CREATE TABLE made (one TEXT)");
    console.log("locked");
    setTimeout(() => database.exec("COMMIT"), 500);
  `;
  const other = spawn(process.execPath, [...flags, making, file]);
  await once(other.stdout, "data");
  const store = sqliteStore(file);
  await store.set("a", "1", soon);
  expect(await store.get(["a"])).toEqual(["1"]);
  await store.close();
  rmSync(folder, { recursive: true });
});

test("a new process waits while another one restores the removed log of the file, and finds all entries", async () => {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-log-"));
  const file = join(folder, "sessions.db");
  const holding = `
    import { sqliteStore } from ${sqliteModule};
    const store = sqliteStore(process.argv[1]);
    await store.set("before", "1", ${soon});
    console.log("open");
    process.stdin.resume().on("end", () => process.exit());
  `;
  const other = spawn(process.execPath, [...flags, holding, file]);
  await once(other.stdout, "data");
  rmSync(`${file}-wal`);
  const store = sqliteStore(file);
  expect(await store.get(["before"])).toEqual(["1"]);
  other.stdin.end();
  await once(other, "close");
  await store.close();
  rmSync(folder, { recursive: true });
});
