import type { DatabaseSync, StatementSync } from "node:sqlite";

/**
 * Every statement of the store, prepared. Parameters have no numbers: early Node 22 and 24 cannot
 * bind those.
 */
export type SQLiteStatements = ReturnType<typeof prepareStatements>;

const upsert =
  "ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at";

/** Rows removed by one slice of a sweep: well below 5 ms. */
const slice = 128;

export function prepareStatements(database: DatabaseSync) {
  return {
    select: selections(database),
    write: database.prepare(`INSERT INTO entries VALUES (?, ?, ?) ${upsert}`),
    addWhereAbsent: database.prepare(
      `INSERT INTO entries VALUES (?, ?, ?) ${upsert} WHERE entries.expires_at <= ?`,
    ),
    compareAndSet: database.prepare(
      `UPDATE entries SET
        value = iif(value = ?, ?, value), expires_at = iif(value = ?, ?, expires_at)
        WHERE key = ? AND expires_at > ? RETURNING value`,
    ),
    remove: database.prepare("DELETE FROM entries WHERE key = ?"),
    removeWhereEqual: database.prepare("DELETE FROM entries WHERE key = ? AND value = ?"),
    join: database.prepare(
      `INSERT INTO members VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET expires_at = excluded.expires_at`,
    ),
    leave: database.prepare("DELETE FROM members WHERE index_name = ? AND key = ?"),
    members: database.prepare("SELECT key FROM members WHERE index_name = ? AND expires_at > ?"),
    sweepMembers: database.prepare(
      `DELETE FROM members WHERE (index_name, key) IN
        (SELECT index_name, key FROM members WHERE expires_at <= ? LIMIT ${slice})`,
    ),
    sweep: database.prepare(
      `DELETE FROM entries WHERE key IN (SELECT key FROM entries WHERE expires_at <= ? LIMIT ${slice})`,
    ),
  };
}

/** Statements by their number of keys, each prepared at its first use. */
function selections(database: DatabaseSync): (count: number) => StatementSync {
  const known: StatementSync[] = [];
  return (count) => {
    const made = known[count] ?? selection(database, count);
    known[count] = made;
    return made;
  };
}

/** One row with one column for each key, in their order. */
function selection(database: DatabaseSync, count: number): StatementSync {
  const column = "(SELECT value FROM entries WHERE key = ? AND expires_at > ?)";
  const statement = database.prepare(`SELECT ${Array(count).fill(column).join(", ")}`);
  statement.setReturnArrays(true);
  return statement;
}

export function textsOf(row: unknown): readonly (string | null)[] {
  const values: readonly unknown[] = Array.isArray(row) ? row : [];
  return values.map((value) => (typeof value === "string" ? value : null));
}
