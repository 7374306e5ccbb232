import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";

import { readProject } from "../../src/cli/doctor/settings/project.ts";
import { askStore } from "../../src/cli/doctor/store/check-store.ts";
import { postgresTable } from "../../src/stores/postgres.ts";
import { findPostgres, type RunningPostgres, startPostgres } from "../servers/postgres.ts";

/** What the doctor finds of a store, with these files beside it. */
async function found(store: string, files: Readonly<Record<string, string | null>> = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), "latchkey-doctor-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    if (text === null) mkdirSync(path.join(folder, name));
    else writeFileSync(path.join(folder, name), text);
  }
  const project = readProject(folder, { LATCHKEY_STORE: store }, "24.0.0");
  const { judgement } = await askStore(project, folder);
  return `${judgement.verdict}: ${judgement.what}`;
}

test.each([
  ["is new", "sqlite:data/latchkey.db", {}],
  ["is empty", "sqlite:latchkey.db", { "latchkey.db": "" }],
  ["is a database", "sqlite:latchkey.db", { "latchkey.db": "SQLite format 3\0…" }],
])("a file of SQLite that %s is in order", async (_what, store, files) => {
  expect(await found(store, files)).toBe("ok: ");
});

test.each<[string, string, Record<string, string | null>, string]>([
  ["a folder", "sqlite:data", { data: null }, "is no file"],
  ["another file", "sqlite:a.db", { "a.db": "0123456789abcdef" }, "is no database"],
  ["below a file", "sqlite:package.json/a.db", { "package.json": "{}" }, "is no folder"],
])("an address of SQLite that names %s fails", async (_what, store, files, what) => {
  const finding = await found(store, files);
  expect(finding).toMatch(/^failure/);
  expect(finding).toContain(what);
});

const programs = findPostgres();

describe.skipIf(programs === null)("a database of PostgreSQL", () => {
  let server: RunningPostgres;
  let pool: Pool;
  beforeAll(async () => {
    server = await startPostgres(programs ?? "");
    pool = new Pool({ connectionString: server.url });
    pool.on("error", () => undefined);
    await pool.query("CREATE ROLE guest LOGIN");
  });
  afterAll(async () => {
    await pool.end();
    await server.close();
  });
  const guest = () => server.url.replace("latchkey@", "guest@");

  test("is in order without a table, and gets none", async () => {
    expect(await found(server.url)).toBe("ok: ");
    const { rows } = await pool.query("SELECT to_regclass('latchkey') AS id");
    expect(rows).toEqual([{ id: null }]);
  });

  test("fails if the user may not make the table", async () => {
    expect(await found(guest())).toMatch(/^failure: The store has no table latchkey/);
  });

  test("fails if the user may not write the table, and is in order with the rights", async () => {
    await pool.query(postgresTable());
    expect(await found(guest())).toMatch(/^failure: The user of the store may not/);
    await pool.query("GRANT SELECT, INSERT, UPDATE, DELETE ON latchkey TO guest");
    expect(await found(guest())).toBe("ok: ");
  });
});
