import type { Figures } from "../measure/rounds.ts";
import { customerCookies } from "../measure/session-cookies.ts";
import type { Testbed } from "../testbed.ts";
import type { Case } from "./case.ts";
import { residentAfter } from "./memory.ts";
import { measureRequests, requestSubject } from "./request-subject.ts";

const path = "/api/sample";
const one = "latchkey on node:http";
const lookedUp = "connections looked up";

/** A request of a signed-in user whose connection is looked up, beside an app with one [MX-106]. */
export const lookedUpConnection: Case = {
  name: "looked-up",
  title: "a request with a session of a looked-up connection",
  unit: "µs",
  comparisons: [{ of: lookedUp, to: one, bar: 1.05 }],
  async measure(testbed): Promise<Figures> {
    const ofOne = await requestSubject(await testbed.open(one), path);
    const server = await testbed.startAnother(lookedUp);
    const cookies = await customerCookies(server.env, { count: 800, customers: 1 });
    const inTurn = cookies.map((cookie) => ({ cookie }));
    const ofMany = await requestSubject({ ...server, inTurn }, path);
    return measureRequests(testbed, [ofOne, ofMany]);
  },
};

const many = "10,000 connections";
const customers = 10_000;
const budgetMB = 60;

/** What ten thousand connections add to a process after many requests [MX-105]. */
export const connectionMemory: Case = {
  name: "connection-memory",
  title: "memory added by 10,000 looked-up connections",
  unit: "MB",
  comparisons: [{ of: many, to: "the budget", bar: 1 }],
  async measure(testbed): Promise<Figures> {
    const alone = await memoryWith(testbed, { count: 800, customers: 1 });
    const all = await memoryWith(testbed, { count: customers, customers });
    return new Map([
      [many, [all - alone]],
      ["the budget", [budgetMB]],
    ]);
  },
};

async function memoryWith(
  testbed: Testbed,
  sessions: Parameters<typeof customerCookies>[1],
): Promise<number> {
  const server = await testbed.startAnother(many);
  const cookies = await customerCookies(server.env, sessions);
  const inTurn = cookies.map((cookie) => ({ cookie }));
  return residentAfter({ ...server, inTurn }, { path, count: 3 * customers });
}
