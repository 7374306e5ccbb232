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
const most = longTests ? 10 : 2;
const whole = { refusedCalls: 0, wrongResponses: [] };

describe("three processes and a provider that revokes all tokens on a reused refresh token", () => {
  const plans = [
    { name: "Redis", start: () => startRedis(redis ?? ""), isThere: redis !== null, rounds: most },
    { name: "SQLite", start: sqlite, isThere: true, rounds: 2 },
    {
      name: "PostgreSQL",
      start: () => startPostgres(postgres ?? ""),
      isThere: postgres !== null,
      rounds: 2,
    },
  ]
    .filter(({ name }) => longTests || name !== "PostgreSQL")
    .flatMap((plan) => [
      { ...plan, secondsLeft: 55 },
      { ...plan, secondsLeft: 5 },
    ]);

  for (const { name, start, isThere, secondsLeft, rounds } of plans) {
    test.skipIf(!isThere)(
      `spend each token once, with ${name}, if a token is good for another ${secondsLeft} s [OP-001, OP-002, AD-020]`,
      async () => {
        const server = await start();
        try {
          const store = server.url;
          const figures = await soak({ store, rounds, requests, secondsLeft });
          expect(figures).toMatchObject({ ...whole, tokenCalls: rounds });
          expect(figures.unavailable).toBeLessThan(figures.requests / 20);
        } finally {
          await server.close();
        }
      },
    );
  }
});
