/**
 * `npm test`: every check, and a last line with the sums.
 *
 * `--long` adds the long tests. `--again` runs failed tests once more.
 */
import { type Browser, findBrowser, installBrowser } from "../browser/browser.ts";
import { endRunningSteps, report, runSteps } from "../check/step.ts";
import type { Step } from "../check/step.ts";
import { build, staticChecks, unitTests } from "../check/steps.ts";
import { onShutdown } from "../on-shutdown.mjs";
import { provideServers, remedyForServers } from "../servers/provide-servers.ts";
import {
  asOne,
  oneFailed,
  playwrightReport,
  sum,
  tallyLine,
  vitestReport,
} from "../check/tally.ts";
import type { Tally } from "../check/tally.ts";
import { runTests } from "../check/test-run.ts";

const again = process.argv.includes("--again");
const long = process.argv.includes("--long");
if (long) process.env["LONG_TESTS"] = "1";

async function main(): Promise<Tally> {
  provideServers();
  const browser = (await findBrowser()) ?? (await getBrowser());
  const checks = await runSteps(staticChecks, (outcome) => report(outcome, ""));
  const isBuilt = checks.every(({ step, exitCode }) => step !== build || exitCode === 0);
  console.log("Running the tests ...");
  // Beside each other: both wait for processes and time limits, and leave a part of two cores idle.
  const tests = await Promise.all([
    runTests({ step: allUnitTests, reader: vitestReport, again }),
    ...(isBuilt ? [browserTests(browser)] : []),
  ]);
  return sum([...checks.map(asOne), ...tests]);
}

function allUnitTests(reportFile: string, only: readonly string[]): Step {
  return unitTests(reportFile, long ? only : ["--project=!long", ...only]);
}

async function browserTests(browser: Browser | undefined): Promise<Tally> {
  if (!browser) {
    console.log(
      "FAILED browser tests: no Chromium was found and none could be installed. " +
        "Install Chromium or Chrome, or set CHROME_PATH to one.",
    );
    return oneFailed;
  }
  const env = { ...browser.env, CHROME_PATH: browser.executablePath };
  const stories = ["--project=stories", ...(long ? ["--project=long"] : [])];
  const step = (reportFile: string, only: readonly string[]): Step => ({
    name: "browser tests",
    command: ["playwright", "test", ...stories, ...only, "--reporter=list,json"],
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: reportFile },
  });
  return runTests({ step, reader: playwrightReport, again });
}

function getBrowser(): Promise<Browser | undefined> {
  console.log("Getting a browser for the browser tests (this takes a little while, once) ...");
  installBrowser();
  return findBrowser();
}

onShutdown(() => {
  endRunningSteps();
  process.exit(130);
});
const total = await main();
console.log(tallyLine(total, remedyForServers()));
process.exitCode = total.failed > 0 ? 1 : 0;
