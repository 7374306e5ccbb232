import { above, type Figures } from "../measure/rounds.ts";
import type { ProgramName } from "../programs.ts";
import type { Testbed } from "../testbed.ts";
import type { Case } from "./case.ts";
import { measureRequests, requestSubject } from "./request-subject.ts";

const shortest = "latchkey on node:http";

/** Each host, and the same host without sign-in. */
const bareHosts = {
  [shortest]: "bare node:http",
  "latchkey on Express": "bare Express",
  "latchkey on Hono": "bare Hono",
  "latchkey on fetch": "bare fetch",
} as const satisfies Partial<Record<ProgramName, ProgramName>>;

/** The cost of each adapter, compared with node:http, the shortest one [AD-048]. */
export const hosts: Case = {
  name: "hosts",
  title: "added to a request, host by host",
  unit: "µs",
  comparisons: [
    { of: "latchkey on Express", to: shortest, bar: 1.3 },
    { of: "latchkey on Hono", to: shortest, bar: 1.6 },
    { of: "latchkey on fetch", to: shortest, bar: 1.6 },
  ],
  async measure(testbed): Promise<Figures> {
    const pairs = Object.entries(bareHosts) as [ProgramName, ProgramName][];
    const subjects = [];
    for (const name of pairs.flat()) subjects.push(await subjectOf(testbed, name));
    const measured = await measureRequests(testbed, subjects);
    return new Map(pairs.flatMap(([name, bare]) => [...addedBy(measured, name, bare)]));
  },
};

async function subjectOf(testbed: Testbed, name: ProgramName) {
  return requestSubject(await testbed.open(name), "/api/sample");
}

function addedBy(measured: Figures, name: ProgramName, bare: ProgramName): Figures {
  const two = [...measured].filter(([each]) => each === name || each === bare);
  return above(new Map(two), bare);
}
