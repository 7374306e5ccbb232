import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { cases } from "./cases/index.ts";
import { type Measured, messageOf } from "./cases/case.ts";
import type { Effort } from "./measure/rounds.ts";
import { moveToLoadCore } from "./measure/server-process.ts";
import { judge } from "./report/judge.ts";
import { machineSentence } from "./report/machine.ts";
import { performancePage } from "./report/page.ts";
import { sumOf, tableOf } from "./report/table.ts";
import { openWorld, type World } from "./world.ts";

export interface RunSettings {
  readonly quick: boolean;
  /** Names of cases; all of them by default. */
  readonly only: readonly string[] | undefined;
  readonly profileFolder: string | undefined;
  /** The file that a whole run writes. */
  readonly page: string;
}

const thorough: Effort = { firstRequests: 10_000, rounds: 15, turnMs: 120, warmUpMs: 500 };
const rough: Effort = { firstRequests: 2500, rounds: 5, turnMs: 80, warmUpMs: 100 };

/** Measures and prints one table in Markdown; a whole run also writes it to `docs/performance.md`. */
export async function run({ quick, only, profileFolder, page }: RunSettings): Promise<void> {
  const unknown = only?.filter((name) => !cases.some((each) => each.name === name)) ?? [];
  if (unknown.length > 0) {
    const known = cases.map(({ name }) => name).join(", ");
    throw new Error(`There is no case "${unknown[0]}". There are: ${known}.`);
  }
  const machine = machineSentence();
  const effort = quick ? rough : thorough;
  moveToLoadCore();
  const world = await openWorld({ effort, quick, profileFolder });
  const measured = await measureAndClose(world, only);

  const rows = measured.flatMap(judge);
  const remarks = measured.flatMap((each) => each.remarks ?? []);
  console.log([tableOf(rows), ...remarks, sumOf(rows)].join("\n\n"));
  if (quick || only !== undefined || profileFolder !== undefined) return;
  const day = new Date().toISOString().slice(0, 10);
  const parts = { rows, remarks, machine, versions: peerVersions(), rounds: effort.rounds, day };
  writeFileSync(page, performancePage(parts));
}

async function measureAndClose(
  world: World,
  only: readonly string[] | undefined,
): Promise<readonly Measured[]> {
  try {
    return await measureAll(world, only);
  } finally {
    await world.close();
  }
}

async function measureAll(
  world: World,
  only: readonly string[] | undefined,
): Promise<readonly Measured[]> {
  const found: Measured[] = [];
  for (const { name, measure } of cases) {
    if (only !== undefined && !only.includes(name)) continue;
    const start = performance.now();
    found.push(...(await measure(world).catch((error: unknown) => [failed(name, error)])));
    console.error(`${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  }
  return found;
}

/** One case that cannot be measured does not take the others with it. */
function failed(name: string, error: unknown): Measured {
  const remarks = [`${name} could not be measured: ${messageOf(error)}`];
  process.exitCode = 1;
  return { title: name, unit: "µs", figures: new Map(), comparisons: [], remarks };
}

function peerVersions(): string {
  const manifest = path.join(import.meta.dirname, "package.json");
  const { dependencies } = JSON.parse(readFileSync(manifest, "utf8"));
  const peers = [
    "express-openid-connect",
    "@hono/oidc-auth",
    "better-auth",
    "iron-session",
    "jose",
  ];
  return peers.map((name) => `${name} ${dependencies[name]}`).join(", ");
}
