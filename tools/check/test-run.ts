/** A run of a test runner, counted by the report that it writes. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { report, runStep } from "./step.ts";
import type { Outcome, Step } from "./step.ts";
import { judged, passedAgain, readReport, tallyLine } from "./tally.ts";
import type { ReportReader, Tally } from "./tally.ts";

export interface TestRun {
  /**
   * @param reportFile - where the JSON report goes
   * @param only - words of the command line that choose tests; none chooses all
   */
  readonly step: (reportFile: string, only: readonly string[]) => Step;
  readonly reader: ReportReader;
  /**
   * Whether what failed is run once more, alone. What passes then has passed; a line of its own names it.
   */
  readonly again: boolean;
}

export async function runTests(run: TestRun): Promise<Tally> {
  const folder = mkdtempSync(path.join(tmpdir(), "latchkey-report-"));
  try {
    const first = await attempt(run, path.join(folder, "first.json"), []);
    const { failed, tally } = first;
    if (!run.again || failed.length === 0) return tally;
    console.log("Running once more, alone, what failed ...");
    const second = await attempt(run, path.join(folder, "again.json"), failed);
    if (second.tally.failed > 0) return tally;
    console.log(`${passedAgain}${failed.join(" ")}`);
    return { ...tally, failed: 0, passed: tally.passed + tally.failed };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function attempt({ step, reader }: TestRun, reportFile: string, only: readonly string[]) {
  const outcome = await runStep(step(reportFile, only));
  const found = readReport(reportFile);
  const tally = judged(found === undefined ? undefined : reader.tally(found), outcome.exitCode);
  report(withFailures(outcome, tally), `${tallyLine(tally)} `);
  return { tally, failed: reader.failed(found) };
}

/** A runner may end well and leave a report that tells of a failure, or none. */
function withFailures(outcome: Outcome, { failed }: Tally): Outcome {
  return { ...outcome, exitCode: failed > 0 ? outcome.exitCode || 1 : outcome.exitCode };
}
