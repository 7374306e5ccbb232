/** `npm run check`: the checks before each commit. No browser, no packing. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { findRedis } from "../../packages/latchkey/test/servers/redis.ts";
import { onShutdown } from "../on-shutdown.mjs";
import { judgeTally, readReport, tallyLine, vitestReport } from "./tally.ts";
import { endRunningSteps, report, runSteps } from "./step.ts";
import type { Outcome } from "./step.ts";
import { staticChecks, unitTests } from "./steps.ts";

onShutdown(() => {
  endRunningSteps();
  process.exit(130);
});

const remedy = findRedis() === null ? "npm test gets the Redis for them" : undefined;
const folder = mkdtempSync(path.join(tmpdir(), "latchkey-check-"));
const unitReport = path.join(folder, "vitest.json");
const unit = unitTests(unitReport, ["--project=quick", "--project=isolated"]);
const outcomes = await runSteps([unit, ...staticChecks], (outcome) => {
  if (outcome.step === unit) report(outcome, `${tallyLine(unitTally(outcome), remedy)} `);
  else report(outcome, "");
});
rmSync(folder, { recursive: true });

const failed = outcomes.filter(({ exitCode }) => exitCode !== 0).map(({ step }) => step.name);
if (failed.length > 0) {
  console.log(`Not yet: ${failed.join(", ")} failed.`);
  process.exitCode = 1;
} else {
  console.log("All is well. Browser tests and the rest run with npm test.");
}

function unitTally({ exitCode }: Outcome) {
  const found = readReport(unitReport);
  return judgeTally(found === undefined ? undefined : vitestReport.tally(found), exitCode);
}
