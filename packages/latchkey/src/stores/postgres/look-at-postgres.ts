import { isJSONObject } from "../../crypto/json-object.ts";
import { postgresStore } from "../postgres.ts";
import { connect } from "./open-postgres.ts";

/** What a look at a database shows. */
export interface PostgresState {
  readonly isReplica: boolean;
  readonly hasTable: boolean;
  /** Whether the user of the address may read and write the table, or create it. */
  readonly isAllowed: boolean;
  readonly warnings: readonly string[];
}

/** One row of booleans. A user who may read only would learn it at the first sign-in. */
const state = `WITH place AS (SELECT to_regclass('latchkey') AS id)
SELECT pg_is_in_recovery() AS is_replica, id IS NOT NULL AS has_table,
  CASE WHEN id IS NULL THEN has_schema_privilege(current_schema(), 'CREATE')
  ELSE has_table_privilege(id, 'SELECT') AND has_table_privilege(id, 'INSERT')
    AND has_table_privilege(id, 'UPDATE') AND has_table_privilege(id, 'DELETE') END AS is_allowed
FROM place`;

/**
 * Connects to a database as a store does, and reads whether it can be one. Creates nothing.
 *
 * @throws {Error} within ten seconds without an answer; the message names host and port only
 */
export async function lookAtPostgres(url: string): Promise<PostgresState> {
  const pool = await connect(url, (opened) => opened.query("SELECT 1"));
  try {
    const { rows } = await pool.query(state);
    const is = (name: string) => isJSONObject(rows[0]) && rows[0][name] === true;
    const store = postgresStore(pool);
    const warnings = (await store.warnings?.()) ?? [];
    await store.close();
    return {
      isReplica: is("is_replica"),
      hasTable: is("has_table"),
      isAllowed: is("is_allowed"),
      warnings,
    };
  } finally {
    await pool.end();
  }
}
