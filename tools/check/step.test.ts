import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { report, runStep, runSteps } from "./step.ts";
import type { Step } from "./step.ts";

function script(name: string, code: string, after?: Step): Step {
  return { name, command: ["node", "-e", code], ...(after && { after }) };
}

it("the check starts a step after the step it depends on", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "latchkey-steps-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = JSON.stringify(path.join(folder, "written"));
  const writer = script("writer", `setTimeout(() => fs.writeFileSync(${file}, ""), 300)`);
  const other = script("other", "0");
  const reader = script("reader", `fs.readFileSync(${file})`, writer);
  const outcomes = await runSteps([writer, other, reader], () => {});
  expect(outcomes.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
});

it("the check counts a step as failed and keeps its output if it cannot start or exits with an error", async () => {
  const fault = script("fault", "console.error('why'); process.exit(3)");
  const none: Step = { name: "none", command: ["no-such-program"] };
  const outcomes = await runSteps([fault, none], () => {});
  expect(outcomes.map(({ exitCode }) => exitCode)).toEqual([3, null]);
  expect(outcomes.map(({ output }) => output.trim())).toEqual([
    "why",
    expect.stringContaining("no-such-program"),
  ]);
});

it("the check prints the output of a step if it fails or is to be printed", async () => {
  const log = vi.spyOn(console, "log").mockReturnValue();
  onTestFinished(() => log.mockRestore());
  const quiet = script("quiet", "console.log('all good')");
  report(await runStep(quiet), "");
  expect(log.mock.calls.join()).not.toContain("all good");
  report(await runStep({ ...quiet, isPrinted: true }), "");
  expect(log.mock.calls.join()).toContain("all good");
});

it("the check reports a step beyond its time limit", async () => {
  const log = vi.spyOn(console, "log").mockReturnValue();
  onTestFinished(() => log.mockRestore());
  const outcome = await runStep({
    ...script("endless", "console.log('begun'); setInterval(() => {}, 1000)"),
    limitMs: 300,
  });
  report(outcome, "0 passed, 1 failed, 0 skipped ");
  expect(outcome).toMatchObject({ exitCode: null, timedOut: true });
  expect(log.mock.lastCall?.join()).toMatch(
    /^FAILED endless did not end within its time limit \(\d+\.\d s\)$/,
  );
});
