import { DatabaseSync } from "node:sqlite";
import { marksStore } from "../programs.ts";
import type { World } from "../world.ts";
import { type Case, type Comparison, namesIn, worthMaking } from "./case.ts";
import { measureRequests } from "./requests.ts";

const counts = { "0 marks": 0, "1,000 marks": 1000, "1,000,000 marks": 1_000_000 };
const agreed: readonly Comparison[] = [
  { of: "1,000 marks", to: "0 marks" },
  { of: "1,000,000 marks", to: "0 marks", bar: 1.05 },
  { of: "0 marks", to: "latchkey" },
];

/** A visit with a store that remembers so many ended sessions, none of them this one. */
export const endedMarks: Case = {
  name: "ended-marks",
  async measure(world) {
    const names = namesIn(worthMaking(world, agreed));
    for (const [name, count] of Object.entries(counts)) {
      if (names.includes(name)) await writeMarks(world, count);
    }
    return [
      await measureRequests(world, {
        title: "ended marks in the SQLite store",
        path: "api",
        want: "data",
        signedIn: true,
        comparisons: agreed,
      }),
    ];
  },
};

/** Marks of all three kinds, as the engine writes them, by one statement. */
async function writeMarks({ folder, environmentOf }: World, count: number): Promise<void> {
  const { openStore } = await import("latchkey/node");
  const address = marksStore(count).replace("<folder>", folder);
  await (await openStore(address)).close();
  const { LATCHKEY_ISSUER_BASE_URL: issuer, LATCHKEY_CLIENT_ID: client } = environmentOf("0 marks");
  const database = new DatabaseSync(address.slice("sqlite:".length));
  database.exec("PRAGMA synchronous = OFF");
  database
    .prepare(
      `INSERT INTO entries
       WITH RECURSIVE number (n) AS (SELECT 1 WHERE ?1 > 0 UNION ALL SELECT n + 1 FROM number WHERE n < ?1)
       SELECT CASE n % 3 WHEN 0 THEN 'id|' WHEN 1 THEN 'sid|' || ?2 ELSE 'sub|' || ?2 END || printf('%08x', n * 2654435761 % 4294967296) || '-ended-' || n,
              ?3, ?4
       FROM number ORDER BY 1`,
    )
    .run(count, `${issuer}|${client}|`, `${Date.now()}`, Math.floor(Date.now() / 1000) + 604_800);
  database.close();
}
