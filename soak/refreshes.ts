/**
 * Three processes and a provider that rotates refresh tokens and revokes everything when one comes twice. 100 requests come
 * together in every round.
 */
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { findRedis, startRedis } from "../packages/latchkey/test/servers/redis.ts";
import { soak, type SoakOptions } from "../packages/latchkey/test/refresh/soak/soak.ts";
import { tell } from "./tell.ts";

export async function soakRefreshes(rounds: number): Promise<void> {
  const program = findRedis();
  if (program === null) throw new Error("There is no Redis here. npm test unpacks one.");
  const options = { rounds, requests: 100 };
  const redis = await startRedis(program);
  try {
    const inRedis = { ...options, store: redis.url };
    await soakOne("sessions in cookies", { ...inRedis, isStateful: false, secondsLeft: 5 });
    await soakOne("sessions in Redis", { ...inRedis, isStateful: true, secondsLeft: 55 });
  } finally {
    await redis.close();
  }
  const sqliteFile = join(tmpdir(), `latchkey-soak-${process.pid}.db`);
  const inSQLite = { ...options, store: `sqlite:${sqliteFile}`, isStateful: true, secondsLeft: 5 };
  try {
    await soakOne("sessions in SQLite", inSQLite);
  } finally {
    for (const end of ["", "-wal", "-shm"]) await rm(sqliteFile + end, { force: true });
  }
}

async function soakOne(name: string, options: SoakOptions): Promise<void> {
  const { wrongResponses, tokenCalls, refusedCalls, ...figures } = await soak(options);
  tell(
    `${name}, tokens that end in ${options.secondsLeft} s`,
    {
      "every token is spent once": tokenCalls === options.rounds && refusedCalls === 0,
      "everybody gets a good token": wrongResponses.length + figures.unavailable === 0,
    },
    { ...figures, tokenCalls, refusedCalls, wrongResponses: wrongResponses.slice(0, 5) },
  );
}
