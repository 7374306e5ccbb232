import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Case } from "./cases/case.ts";
import { cases } from "./cases/index.ts";
import { type Effort, type Figures, together } from "./measure/rounds.ts";
import { moveToLoadCore } from "./measure/server-process.ts";
import { judge, type Measured } from "./report/judge.ts";
import { machineSentence } from "./report/machine.ts";
import { performancePage } from "./report/page.ts";
import { summaryOf, tableOf } from "./report/table.ts";
import { openTestbed, type TestbedOptions } from "./testbed.ts";

export interface RunOptions {
  readonly quick: boolean;
  /** Names of cases; all of them by default. */
  readonly only: readonly string[] | undefined;
  readonly profileFolder: string | undefined;
  /** The output file of a whole run. */
  readonly page: string;
}

const thorough: Effort = {
  starts: 3,
  rounds: 28,
  turnMs: 50,
  warmUpMs: 300,
  warmUpRequests: 15_000,
  requestsEach: 20_000,
};
const rough: Effort = {
  starts: 1,
  rounds: 20,
  turnMs: 30,
  warmUpMs: 200,
  warmUpRequests: 2000,
  requestsEach: 5000,
};

/** Measures and prints one table in Markdown. A whole run also writes `docs/performance.md`. */
export async function run({ quick, only, profileFolder, page }: RunOptions): Promise<void> {
  const chosen = casesNamed(only);
  const machine = machineSentence();
  const effort = quick ? rough : thorough;
  moveToLoadCore();
  const measured = await measureAll(chosen, { effort, profileFolder });

  const rows = measured.flatMap(judge);
  const remarks = measured.flatMap(({ remark }) => remark ?? []);
  console.log([tableOf(rows), ...remarks, summaryOf(rows)].join("\n\n"));
  if (remarks.length > 0) process.exitCode = 1;
  if (quick || only !== undefined || profileFolder !== undefined) return;
  const day = new Date().toISOString().slice(0, 10);
  const rounds = effort.starts * effort.rounds;
  const parts = { rows, remarks, machine, versions: peerVersions(), rounds, day };
  writeFileSync(page, performancePage(parts));
}

function casesNamed(only: readonly string[] | undefined): readonly Case[] {
  const known = cases.map(({ name }) => name);
  const unknown = only?.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new Error(`There is no case "${unknown}". There are: ${known.join(", ")}.`);
  }
  return cases.filter(({ name }) => only?.includes(name) ?? true);
}

async function measureAll(
  chosen: readonly Case[],
  options: TestbedOptions,
): Promise<readonly Measured[]> {
  const measured: Measured[] = [];
  for (const each of chosen) {
    const start = performance.now();
    measured.push(await measureOne(each, options));
    console.error(`${each.name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  }
  return measured;
}

/** If a case fails, its lines of the table stay open, and the other cases go on. */
async function measureOne(each: Case, options: TestbedOptions): Promise<Measured> {
  try {
    const ofStarts: Figures[] = [];
    for (let start = 0; start < options.effort.starts; start += 1) {
      ofStarts.push(await measureFresh(each, options));
    }
    return { ...each, figures: together(ofStarts) };
  } catch (error) {
    const [message] = (error instanceof Error ? error.message : String(error)).split("\n");
    return {
      ...each,
      figures: new Map(),
      remark: `${each.name} could not be measured: ${message}`,
    };
  }
}

/** With processes of its own: V8 compiles each one differently. */
async function measureFresh(each: Case, options: TestbedOptions): Promise<Figures> {
  const testbed = await openTestbed(options);
  try {
    return await each.measure(testbed);
  } finally {
    await testbed.close();
  }
}

function peerVersions(): string {
  const manifest = path.join(import.meta.dirname, "package.json");
  const { dependencies } = JSON.parse(readFileSync(manifest, "utf8"));
  const peers = [
    "express",
    "express-oauth2-jwt-bearer",
    "express-openid-connect",
    "hono",
    "@hono/node-server",
    "@hono/oidc-auth",
    "connect-redis",
    "jose",
  ];
  return peers.map((name) => `${name} ${dependencies[name]}`).join(", ");
}
