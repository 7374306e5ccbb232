/**
 * Three processes, and a provider with rotation of refresh tokens. If one comes twice, it revokes
 * everything. Each round sends 100 requests at once.
 */
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { findRedis, startRedis } from "../packages/latchkey/test/servers/redis.ts";
import { soak, type SoakOptions } from "../packages/latchkey/test/refresh/soak/soak.ts";
import { reportResult } from "./report.ts";

export async function soakRefreshes(rounds: number): Promise<void> {
  const program = findRedis();
  if (program === null) throw new Error("There is no Redis here. npm test unpacks one.");
  const options = { rounds, requests: 100 };
  const redis = await startRedis(program);
  try {
    const inRedis = { ...options, store: redis.url };
    await soakOne("sessions in Redis", { ...inRedis, secondsLeft: 5 });
    await soakOne("sessions in Redis", { ...inRedis, secondsLeft: 55 });
  } finally {
    await redis.close();
  }
  const sqliteFile = join(tmpdir(), `latchkey-soak-${process.pid}.db`);
  const inSQLite = { ...options, store: `sqlite:${sqliteFile}`, secondsLeft: 5 };
  try {
    await soakOne("sessions in SQLite", inSQLite);
  } finally {
    for (const end of ["", "-wal", "-shm"]) await rm(sqliteFile + end, { force: true });
  }
}

async function soakOne(
  name: string,
  options: SoakOptions & { readonly secondsLeft: number },
): Promise<void> {
  const { wrongResponses, tokenCalls, refusedCalls, ...figures } = await soak(options);
  reportResult(
    `${name}, tokens that end in ${options.secondsLeft} s`,
    {
      "every token is spent once": tokenCalls === options.rounds && refusedCalls === 0,
      "everybody gets a good token": wrongResponses.length + figures.unavailable === 0,
    },
    { ...figures, tokenCalls, refusedCalls, wrongResponses: wrongResponses.slice(0, 5) },
  );
}
