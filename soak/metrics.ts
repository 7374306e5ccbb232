/** The cost of metrics: CPU time of a server with and without them, in turns. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { Agent, get } from "node:http";
import { reportResult } from "./report.ts";

const rounds = 40;
const requestsOfRound = 1000;
const together = 8;

export async function soakMetrics(): Promise<void> {
  const script = new URL("metrics-server.ts", import.meta.url);
  const child = fork(script, { execArgv: ["--disable-warning=ExperimentalWarning"] });
  const agent = new Agent({ keepAlive: true, maxSockets: together });
  try {
    const [{ off, on }] = await once(child, "message");
    const costOn = (place: Place) => costOf(child, () => askTogether(agent, place));
    const [costs, more]: [number[], number[]] = [[], []];
    // V8 compiles in the first rounds.
    for (let round = -5; round < rounds; round += 1) {
      const before = await costOn(off);
      const measured = await costOn(on);
      const after = await costOn(off);
      if (round < 0) continue;
      const without = (before + after) / 2;
      costs.push(without);
      more.push(measured - without);
    }
    const [offMicroseconds, moreMicroseconds] = [middle(costs), middle(more)];
    const percent = (moreMicroseconds / offMicroseconds) * 100;
    reportResult(
      `${rounds} rounds of ${requestsOfRound} requests of somebody who is signed in`,
      { "measuring costs 3 % of a request at the most [OP-131]": percent <= 3 },
      { offMicroseconds, moreMicroseconds, percent },
    );
  } finally {
    agent.destroy();
    child.kill();
  }
}

interface Place {
  readonly port: number;
  readonly cookie: string;
}

/** CPU time for one request, in microseconds. */
async function costOf(child: ChildProcess, round: () => Promise<unknown>): Promise<number> {
  const before = await cpuMicroseconds(child);
  await round();
  return ((await cpuMicroseconds(child)) - before) / requestsOfRound;
}

function askTogether(agent: Agent, place: Place): Promise<unknown> {
  async function askOn(): Promise<void> {
    for (let count = 0; count < requestsOfRound / together; count += 1) await ask(agent, place);
  }
  return Promise.all(Array.from({ length: together }, askOn));
}

function ask(agent: Agent, { port, cookie }: Place): Promise<void> {
  return new Promise((resolve, reject) => {
    const asking = get({ agent, port, host: "localhost", headers: { cookie } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`It answered ${response.statusCode}`));
      response.resume().on("end", resolve);
    });
    asking.on("error", reject);
  });
}

/** The mean of the middle half, without outliers from other load. */
function middle(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const half = sorted.slice(Math.floor(sorted.length / 4), Math.ceil((sorted.length * 3) / 4));
  return half.reduce((sum, value) => sum + value, 0) / half.length;
}

async function cpuMicroseconds(child: ChildProcess): Promise<number> {
  child.send("cpu");
  const [told] = await once(child, "message");
  return told.cpuMicroseconds;
}
