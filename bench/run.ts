import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Case } from "./cases/case.ts";
import { cases } from "./cases/index.ts";
import type { Effort } from "./measure/rounds.ts";
import { moveToLoadCore } from "./measure/server-process.ts";
import { judge, type Measured } from "./report/judge.ts";
import { machineSentence } from "./report/machine.ts";
import { performancePage } from "./report/page.ts";
import { summaryOf, tableOf } from "./report/table.ts";
import { openTestbed, type Testbed } from "./testbed.ts";

export interface RunOptions {
  readonly quick: boolean;
  /** Names of cases; all of them by default. */
  readonly only: readonly string[] | undefined;
  readonly profileFolder: string | undefined;
  /** The output file of a whole run. */
  readonly page: string;
}

const thorough: Effort = {
  rounds: 84,
  turnMs: 50,
  warmUpMs: 1500,
  warmUpRequests: 20_000,
  freshProcesses: 3,
  requestsEach: 20_000,
};
const rough: Effort = {
  rounds: 20,
  turnMs: 30,
  warmUpMs: 400,
  warmUpRequests: 2000,
  freshProcesses: 1,
  requestsEach: 5000,
};

/** Measures and prints one table in Markdown. A whole run also writes `docs/performance.md`. */
export async function run({ quick, only, profileFolder, page }: RunOptions): Promise<void> {
  const chosen = casesNamed(only);
  const machine = machineSentence();
  const effort = quick ? rough : thorough;
  moveToLoadCore();
  const measured = await measureAll(chosen, await openTestbed({ effort, profileFolder }));

  const rows = measured.flatMap(judge);
  const remarks = measured.flatMap(({ remark }) => remark ?? []);
  console.log([tableOf(rows), ...remarks, summaryOf(rows)].join("\n\n"));
  if (remarks.length > 0) process.exitCode = 1;
  if (quick || only !== undefined || profileFolder !== undefined) return;
  const day = new Date().toISOString().slice(0, 10);
  const parts = { rows, remarks, machine, versions: peerVersions(), rounds: effort.rounds, day };
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

async function measureAll(chosen: readonly Case[], testbed: Testbed): Promise<readonly Measured[]> {
  const measured: Measured[] = [];
  try {
    for (const each of chosen) {
      const start = performance.now();
      measured.push(await measureOne(each, testbed));
      console.error(`${each.name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
    }
  } finally {
    await testbed.close();
  }
  return measured;
}

/** If a case fails, its lines of the table stay open, and the other cases go on. */
async function measureOne(each: Case, testbed: Testbed): Promise<Measured> {
  try {
    return { ...each, figures: await each.measure(testbed) };
  } catch (error) {
    const [message] = (error instanceof Error ? error.message : String(error)).split("\n");
    return {
      ...each,
      figures: new Map(),
      remark: `${each.name} could not be measured: ${message}`,
    };
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
