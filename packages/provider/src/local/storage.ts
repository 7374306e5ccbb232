import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Adapter } from "oidc-provider";

/** Sessions, grants, codes and tokens of the provider, in one SQLite table. */
export interface Storage {
  /** The adapter of oidc-provider for one kind of entry. */
  readonly adapter: (model: string) => Adapter;
  /** All entries of a kind, without expired ones. */
  readonly all: (model: string) => readonly Record<string, unknown>[];
  readonly close: () => void;
}

const schema = `
  CREATE TABLE IF NOT EXISTS entry (
    model TEXT NOT NULL,
    id TEXT NOT NULL,
    payload TEXT NOT NULL,
    uid TEXT,
    grant_id TEXT,
    expires_at INTEGER,
    PRIMARY KEY (model, id)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS entry_by_grant ON entry (grant_id) WHERE grant_id IS NOT NULL;
`;

/**
 * Opens the storage in a folder, or in memory without one.
 *
 * A killed process loses no write: SQLite has a write-ahead log.
 */
export function openStorage(dataFolder: string | undefined): Storage {
  const database = openDatabase(dataFolder);
  database.exec(schema);
  database.prepare("DELETE FROM entry WHERE expires_at <= ?").run(nowSeconds());
  const all = database.prepare(
    "SELECT payload FROM entry WHERE model = ? AND (expires_at IS NULL OR expires_at > ?)",
  );
  return {
    adapter: (model) => adapterOf(database, model),
    all: (model) => all.all(model, nowSeconds()).map(readPayload),
    close: () => database.close(),
  };
}

function openDatabase(dataFolder: string | undefined): DatabaseSync {
  if (dataFolder === undefined) return new DatabaseSync(":memory:");
  mkdirSync(dataFolder, { recursive: true });
  const database = new DatabaseSync(join(dataFolder, "provider.sqlite"));
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
  return database;
}

function adapterOf(database: DatabaseSync, model: string): Adapter {
  const live = "model = ? AND (expires_at IS NULL OR expires_at > ?)";
  const write = database.prepare("INSERT OR REPLACE INTO entry VALUES (?, ?, ?, ?, ?, ?)");
  const byID = database.prepare(`SELECT payload FROM entry WHERE ${live} AND id = ?`);
  const byUID = database.prepare(`SELECT payload FROM entry WHERE ${live} AND uid = ?`);
  const consume = database.prepare(
    "UPDATE entry SET payload = json_set(payload, '$.consumed', ?) WHERE model = ? AND id = ?",
  );
  const remove = database.prepare("DELETE FROM entry WHERE model = ? AND id = ?");
  const removeGrant = database.prepare("DELETE FROM entry WHERE model = ? AND grant_id = ?");
  return {
    upsert: async (id, payload, expiresIn) => {
      const expiresAt = expiresIn === undefined ? null : nowSeconds() + expiresIn;
      const { uid, grantId } = payload;
      write.run(model, id, JSON.stringify(payload), text(uid), text(grantId), expiresAt);
    },
    find: async (id) => found(byID.get(model, nowSeconds(), id)),
    findByUid: async (uid) => found(byUID.get(model, nowSeconds(), uid)),
    findByUserCode: async () => undefined,
    consume: async (id) => void consume.run(nowSeconds(), model, id),
    destroy: async (id) => void remove.run(model, id),
    revokeByGrantId: async (grantId) => void removeGrant.run(model, grantId),
  };
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

function found(row: Record<string, unknown> | undefined): Record<string, unknown> | undefined {
  return row === undefined ? undefined : readPayload(row);
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function readPayload(row: Record<string, unknown>): Record<string, unknown> {
  const value: unknown = JSON.parse(String(row["payload"]));
  return typeof value === "object" && value !== null ? { ...value } : {};
}
