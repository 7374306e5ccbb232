import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { findRedis, type RunningRedis, startRedis } from "../redis.ts";
import { soak } from "./soak/soak.ts";

const requests = 100;
const whole = { refusedCalls: 0, wrongResponses: [] };

describe("three processes and a provider that revokes everything when a refresh token comes twice", () => {
  const redis = findRedis();
  let server: RunningRedis | undefined;
  beforeAll(async () => {
    if (redis !== null) server = await startRedis(redis);
  });
  afterAll(() => server?.close());

  test.skipIf(redis === null).each([
    [true, 55],
    [false, 5],
  ])(
    "spend each token once, with Redis, where sessions are kept in the store: %s, and a token is good for another %i s [OP-001, OP-002, AD-020]",
    { timeout: 60_000 },
    async (isStateful, secondsLeft) => {
      const store = { redisPort: server?.port ?? 0 };
      const rounds = 10;
      const figures = await soak({ store, isStateful, rounds, requests, secondsLeft });
      expect(figures).toMatchObject({ ...whole, tokenCalls: rounds });
    },
  );

  test.each([true, false])(
    "spend each token once, with one SQLite file, where sessions are kept in the store: %s [OP-001, OP-002]",
    { timeout: 60_000 },
    async (isStateful) => {
      const sqliteFile = join(tmpdir(), `latchkey-refresh-${process.pid}-${isStateful}.db`);
      const rounds = 4;
      try {
        const store = { sqliteFile };
        const figures = await soak({ store, isStateful, rounds, requests, secondsLeft: 5 });
        expect(figures).toMatchObject({ ...whole, tokenCalls: rounds });
      } finally {
        for (const end of ["", "-wal", "-shm"]) await rm(sqliteFile + end, { force: true });
      }
    },
  );
});
