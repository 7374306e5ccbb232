/**
 * `npm run conformance [host …]`: each host of the folder `conformance`, or the given ones, in its
 * production build.
 *
 * `--changed` skips hosts without changes since they passed; `--minutes=<n>` starts no further host
 * after this time; `--again` runs failed test files once more.
 */
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";

import { endRunningSteps } from "../check/step.ts";
import type { Step } from "../check/step.ts";
import { unitTests } from "../check/steps.ts";
import { oneFailed, sum, tallyLine, vitestReport } from "../check/tally.ts";
import type { Tally } from "../check/tally.ts";
import { runTests } from "../check/test-run.ts";
import { onShutdown } from "../on-shutdown.mjs";
import { hostNames, prepareHost, stampOfRun } from "./host-folder.ts";
import { packPackages, type PackedPackages } from "./package.ts";

const root = path.join(import.meta.dirname, "../..");
const folder = path.join(root, "conformance");
const passedFolder = path.join(root, ".data/conformance");

async function main(): Promise<Tally> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      again: { type: "boolean", default: false },
      changed: { type: "boolean", default: false },
      minutes: { type: "string" },
    },
  });
  const hosts = chosenHosts(positionals);
  const packed = packPackages(root, passedFolder);
  const endsAt = performance.now() + Number(values.minutes ?? Infinity) * 60_000;
  const tallies: Tally[] = [];
  for (const host of hosts) {
    if (values.changed && hasPassed(host, packed)) {
      console.log(`ok     ${host} has passed as it is`);
    } else if (performance.now() > endsAt) {
      console.log(`       ${host} was not run: the time is up`);
    } else {
      tallies.push(await runHost(host, packed, values.again));
    }
  }
  return sum(tallies);
}

function chosenHosts(asked: readonly string[]): readonly string[] {
  const known = hostNames(folder);
  const unknown = asked.filter((name) => !known.includes(name));
  if (unknown.length === 0) return asked.length > 0 ? asked : inTurn(known);
  console.error(`There is no ${unknown.join(", ")} in conformance: choose of ${known.join(", ")}.`);
  process.exit(1);
}

/** The host with the oldest pass comes first, so each has its turn even if time runs out. */
function inTurn(hosts: readonly string[]): readonly string[] {
  const passedAt = (host: string) =>
    statSync(passedFile(host), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return hosts.toSorted((one, other) => passedAt(one) - passedAt(other));
}

async function runHost(host: string, packed: PackedPackages, again: boolean): Promise<Tally> {
  console.log(`Installing and building ${host}, where it has changed ...`);
  try {
    await prepareHost(path.join(folder, host), packed);
  } catch (error) {
    console.log(`\n${error instanceof Error ? error.message : String(error)}\nFAILED ${host}`);
    return oneFailed;
  }
  const tally = await drive(host, again);
  if (tally.failed === 0) writeFileSync(passedFile(host), stampOfRun(folder, host, packed));
  return tally;
}

function drive(host: string, again: boolean): Promise<Tally> {
  const config = ["--config", "conformance/vitest.config.ts"];
  const step = (reportFile: string, only: readonly string[]): Step => ({
    ...unitTests(reportFile, [...config, ...only]),
    name: host,
    env: { CONFORMANCE_HOST: host },
  });
  return runTests({ step, reader: vitestReport, again });
}

function passedFile(host: string): string {
  mkdirSync(passedFolder, { recursive: true });
  return path.join(passedFolder, `${host}.passed`);
}

function hasPassed(host: string, packed: PackedPackages): boolean {
  try {
    return readFileSync(passedFile(host), "utf8") === stampOfRun(folder, host, packed);
  } catch {
    return false;
  }
}

onShutdown(() => {
  endRunningSteps();
  process.exit(130);
});
const total = await main();
console.log(tallyLine(total));
process.exitCode = total.failed > 0 ? 1 : 0;
