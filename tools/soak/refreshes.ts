/**
 * `npm run soak [rounds]`: three processes, Redis, and a provider that rotates refresh tokens and revokes everything when one
 * comes twice. 100 requests come together in every round. Prints the figures; fails where a token was spent twice, or where
 * somebody got none.
 */
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { findRedis, startRedis } from "../../packages/latchkey/test/redis.ts";
import { soak, type SoakFigures } from "../../packages/latchkey/test/refresh/soak/soak.ts";

const rounds = Number(process.argv[2] ?? 1000);
const requests = 100;

function tell(name: string, figures: SoakFigures): void {
  const { outcomes, seconds, tokenCalls, refusedCalls, wrongResponses } = figures;
  const isWhole = tokenCalls === rounds && refusedCalls === 0 && wrongResponses.length === 0;
  console.log(`${isWhole ? "ok    " : "FAILED"} ${name}`);
  console.log(
    `       ${rounds} rounds of ${requests} requests in ${seconds.toFixed(0)} s: ${tokenCalls} token calls, ${refusedCalls} refused, ${wrongResponses.length} wrong responses`,
  );
  console.log(`       ${JSON.stringify(outcomes)}`);
  if (!isWhole) process.exitCode = 1;
}

const options = { rounds, requests };
const program = findRedis();
if (program === null) throw new Error("There is no Redis here. npm test unpacks one.");
const redis = await startRedis(program);
try {
  const store = { redisPort: redis.port };
  const waiting = { ...options, store, secondsLeft: 5 };
  const early = { ...options, store, secondsLeft: 55 };
  tell(
    "Redis, sessions in cookies, tokens that end in 5 s",
    await soak({ ...waiting, isStateful: false }),
  );
  tell(
    "Redis, sessions in the store, tokens that end in 55 s",
    await soak({ ...early, isStateful: true }),
  );
} finally {
  await redis.close();
}
const sqliteFile = join(tmpdir(), `latchkey-soak-${process.pid}.db`);
try {
  const store = { sqliteFile };
  tell(
    "SQLite, sessions in the store, tokens that end in 5 s",
    await soak({ ...options, store, secondsLeft: 5, isStateful: true }),
  );
} finally {
  for (const end of ["", "-wal", "-shm"]) await rm(sqliteFile + end, { force: true });
}
