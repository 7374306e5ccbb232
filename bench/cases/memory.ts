import { browserHeaders } from "../measure/browser-headers.ts";
import { openLoad } from "../measure/load.ts";
import { startRedis } from "../measure/redis.ts";
import type { Figures } from "../measure/rounds.ts";
import type { ProgramName } from "../programs.ts";
import type { Testbed } from "../testbed.ts";
import type { Case } from "./case.ts";

/** Resident memory of a fresh process after thousands of requests. */
export const memory: Case = {
  name: "memory",
  title: "memory under load",
  unit: "MB",
  comparisons: [
    { of: "latchkey on Express", to: "express-openid-connect", bar: 0.5 },
    { of: "web application", to: "express-openid-connect", bar: 0.5 },
  ],
  async measure(testbed): Promise<Figures> {
    const names = ["latchkey on Express", "express-openid-connect", "web application"] as const;
    const figures = new Map<ProgramName, readonly number[]>();
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    for (const name of names) figures.set(name, [await measureOne(testbed, name)]);
    return figures;
  },
};

async function measureOne(testbed: Testbed, name: ProgramName): Promise<number> {
  await testbed.open(name);
  const server = await testbed.startAnother(name);
  return residentAfter(server, { path: "/api/sample", count: testbed.effort.requestsEach });
}

/** Returns the megabytes of a fresh process after so many requests, and stops it. */
export async function residentAfter(
  { process, origin, inTurn }: Awaited<ReturnType<Testbed["startAnother"]>>,
  { path, count }: { readonly path: string; readonly count: number },
): Promise<number> {
  const load = openLoad({ origin, path, headers: browserHeaders(origin), inTurn });
  await load.send(count);
  const { residentBytes } = await process.usage();
  await load.close();
  await process.stop();
  return residentBytes / 1e6;
}

const withRedis = "latchkey on Express with Redis";
const budgetMB = 150;

/** The same, with sessions in Redis. */
export const redisMemory: Case = {
  name: "redis-memory",
  title: "memory under load, sessions in Redis",
  unit: "MB",
  comparisons: [{ of: withRedis, to: "the budget", bar: 1 }],
  async measure(testbed): Promise<Figures> {
    await startRedis();
    return new Map([
      [withRedis, [await measureOne(testbed, withRedis)]],
      ["the budget", [budgetMB]],
    ]);
  },
};
