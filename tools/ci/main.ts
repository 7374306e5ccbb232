/**
 * `.ci/run`: `npm test` with the long tests, then what only a release needs, then the changed hosts
 * of `conformance`, two releases on a clone, then the site; a last line with the sums. Failed tests
 * run once more, because this machine may have other work.
 */
import { spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";

import { report, runSteps } from "../check/step.ts";
import { releaseChecks } from "../check/steps.ts";
import { asOne, passedAgain, readTallyLine, sum, tallyLine, type Tally } from "../check/tally.ts";
import { onShutdown } from "../on-shutdown.mjs";

const root = path.join(import.meta.dirname, "../..");
/** After this time no further host is started. */
const conformanceMinutes = 3;

/** Tests that passed only when they ran again. */
const again: string[] = [];

/** Runs one of our scripts, prints its output, and reads the sums of its last line. */
async function run(script: string, args: readonly string[]): Promise<Tally> {
  const child = spawn(process.execPath, [path.join(root, script), ...args], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const stopListening = onShutdown(() => {
    child.kill("SIGTERM");
    process.exit(130);
  });
  let lastLine = "";
  createInterface(child.stdout).on("line", (line) => {
    console.log(line);
    lastLine = line;
    if (line.startsWith(passedAgain)) again.push(...line.slice(passedAgain.length).split(" "));
  });
  const exitCode = await new Promise<number | null>((resolve) => child.once("close", resolve));
  stopListening();
  return readTallyLine(lastLine, exitCode);
}

const tests = await run("tools/test.mjs", ["--again", "--long"]);
const checks = await runSteps(releaseChecks, (outcome) => report(outcome, ""));
const minutes = `--minutes=${conformanceMinutes}`;
const hosts = await run("tools/conformance.mjs", ["--again", "--changed", minutes]);
const examples = await run("tools/examples.mjs", ["--quick"]);
const releases = await run("tools/rehearsal.mjs", []);
const site = await run("tools/site.mjs", []);
const total = sum([tests, ...checks.map(asOne), hosts, examples, releases, site]);
if (again.length > 0) console.log(passedAgain + again.join(" "));
console.log(tallyLine(total) + (again.length > 0 ? `; only when run again: ${again.length}` : ""));
process.exitCode = total.failed > 0 ? 1 : 0;
