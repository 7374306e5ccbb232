import { startRedis } from "../measure/redis.ts";
import { above, type Figures } from "../measure/rounds.ts";
import type { ProgramName } from "../programs.ts";
import type { Testbed } from "../testbed.ts";
import type { Case } from "./case.ts";
import { measureRequests, requestSubject } from "./request-subject.ts";

const path = "/api/sample";
const bare = "bare Express";
const withoutStore = "latchkey on Express, no renewal due";
const withRedis = "latchkey on Express with Redis";
const peer = "express-openid-connect with connect-redis";
const budgetMicros = 60;

/** The cost of a request with its session in Redis, and the share of the store. */
export const redis: Case = {
  name: "redis",
  title: "added to a request, sessions in Redis",
  unit: "µs",
  comparisons: [
    { of: withRedis, to: peer },
    { of: "Redis instead of cookies", to: "the budget", bar: 1 },
  ],
  async measure(testbed): Promise<Figures> {
    await startRedis();
    return withShareOfRedis(await measureAll(testbed));
  },
};

async function measureAll(testbed: Testbed): Promise<Figures> {
  const names: readonly ProgramName[] = [bare, withoutStore, withRedis, peer];
  const subjects = [];
  for (const name of names) subjects.push(await requestSubject(await testbed.open(name), path));
  return above(await measureRequests(testbed, subjects), bare);
}

function withShareOfRedis(added: Figures): Figures {
  const without = added.get(withoutStore) ?? [];
  const share = (added.get(withRedis) ?? []).map((micros, round) => {
    return micros - (without[round] ?? Number.NaN);
  });
  return new Map([
    ...added,
    ["Redis instead of cookies", share],
    ["the budget", share.map(() => budgetMicros)],
  ]);
}
