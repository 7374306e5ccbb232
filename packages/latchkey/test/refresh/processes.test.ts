import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { longTests } from "../long-tests.ts";
import { findPostgres, startPostgres } from "../servers/postgres.ts";
import { findRedis, startRedis } from "../servers/redis.ts";
import { soak } from "./soak/soak.ts";

interface RunningStore {
  readonly url: string;
  close(): Promise<void>;
}

const [redis, postgres] = [findRedis(), findPostgres()];

async function sqlite(): Promise<RunningStore> {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-refresh-"));
  return {
    url: `sqlite:${join(folder, "store.db")}`,
    close: async () => rmSync(folder, { recursive: true }),
  };
}

const requests = 100;
const fewest = 4;
const most = longTests ? 20 : fewest;
const whole = { refusedCalls: 0, wrongResponses: [] };

describe("three processes and a provider that revokes all tokens on a reused refresh token", () => {
  const plans = [
    { name: "Redis", start: () => startRedis(redis ?? ""), isThere: redis !== null, rounds: most },
    { name: "SQLite", start: sqlite, isThere: true, rounds: fewest },
    {
      name: "PostgreSQL",
      start: () => startPostgres(postgres ?? ""),
      isThere: postgres !== null,
      rounds: fewest,
    },
  ].filter(({ name }) => longTests || name !== "PostgreSQL");

  for (const { name, start, isThere, rounds } of plans) {
    test.skipIf(!isThere)(
      `spend each token once, with ${name}, if a token is good for another 55 s, and for another 5 s [OP-001, OP-002, AD-020]`,
      async () => {
        const server = await start();
        try {
          const store = server.url;
          const figures = await soak({ store, rounds, requests, secondsLeft: [55, 5] });
          expect(figures).toMatchObject({ ...whole, tokenCalls: rounds });
          expect(figures.unavailable).toBeLessThan(figures.requests / 20);
        } finally {
          await server.close();
        }
      },
    );
  }
});
