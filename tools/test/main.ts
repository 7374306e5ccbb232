/** `npm test`: every check, and a last line with the sums. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { findBrowser, installBrowser } from "../../e2e/browser.ts";
import { endRunningSteps, report, runStep, runSteps } from "../check/step.ts";
import type { Outcome, Step } from "../check/step.ts";
import { build, staticChecks, unitTests } from "../check/steps.ts";
import { onShutdown } from "../on-shutdown.mjs";
import { provideServers, remedyForServers } from "../servers/provide-servers.ts";
import {
  judged,
  oneFailed,
  onePassed,
  playwrightTally,
  readReport,
  sum,
  tallyLine,
  vitestTally,
} from "../check/tally.ts";
import type { Tally } from "../check/tally.ts";

const folder = mkdtempSync(path.join(tmpdir(), "latchkey-test-"));

async function main(): Promise<Tally> {
  provideServers();
  const checks = await runSteps(staticChecks, (outcome) => report(outcome, ""));
  const unitReport = path.join(folder, "vitest.json");
  const tallies = [
    ...checks.map(asOne),
    await counted(unitTests(unitReport), unitReport, vitestTally),
  ];
  if (checks.some(({ step, exitCode }) => step === build && exitCode !== 0)) return sum(tallies);

  const pack: Step = { name: "packed package", command: ["node", "tools/pack-check/main.ts"] };
  const packed = await runStep(pack);
  report(packed, "");
  return sum([...tallies, asOne(packed), await browserTests()]);
}

/** A check without tests of its own counts as one test. */
function asOne({ exitCode }: Outcome): Tally {
  return exitCode === 0 ? onePassed : oneFailed;
}

async function counted(
  step: Step,
  reportFile: string,
  read: (report: unknown) => Tally,
): Promise<Tally> {
  const outcome = await runStep(step);
  const found = readReport(reportFile);
  const tally = judged(found === undefined ? undefined : read(found), outcome.exitCode);
  const { exitCode } = outcome;
  report(
    { ...outcome, exitCode: tally.failed > 0 ? exitCode || 1 : exitCode },
    `${tallyLine(tally)} `,
  );
  return tally;
}

async function browserTests(): Promise<Tally> {
  const browser = (await findBrowser()) ?? (await getBrowser());
  if (!browser) {
    console.log(
      "FAILED browser tests: no Chromium was found and none could be installed. " +
        "Install Chromium or Chrome, or set CHROME_PATH to one.",
    );
    return oneFailed;
  }
  console.log("Running the browser tests ...");
  const reportFile = path.join(folder, "playwright.json");
  const env = { ...browser.env, CHROME_PATH: browser.executablePath };
  const command: Step["command"] = ["playwright", "test", "--reporter=list,json"];
  const reportTo = { PLAYWRIGHT_JSON_OUTPUT_FILE: reportFile };
  const step = { name: "browser tests", command, env: { ...env, ...reportTo } };
  return counted(step, reportFile, playwrightTally);
}

function getBrowser() {
  console.log("Getting a browser for the browser tests (this takes a little while, once) ...");
  installBrowser();
  return findBrowser();
}

onShutdown(() => {
  endRunningSteps();
  process.exit(130);
});
const total = await main().finally(() => rmSync(folder, { recursive: true }));
console.log(tallyLine(total, remedyForServers()));
process.exitCode = total.failed > 0 ? 1 : 0;
