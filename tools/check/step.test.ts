import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runSteps } from "./step.ts";
import type { Step } from "./step.ts";

function script(name: string, code: string, after?: Step): Step {
  return { name, command: ["node", "-e", code], ...(after && { after }) };
}

it("starts a step only after the step that writes what it reads", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "latchkey-steps-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = JSON.stringify(path.join(folder, "written"));
  const writer = script("writer", `setTimeout(() => fs.writeFileSync(${file}, ""), 300)`);
  const other = script("other", "0");
  const reader = script("reader", `fs.readFileSync(${file})`, writer);
  const outcomes = await runSteps([writer, other, reader], () => {});
  expect(outcomes.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
});

it("counts a step that exits with a fault, or cannot start, as failed and keeps its output", async () => {
  const fault = script("fault", "console.error('why'); process.exit(3)");
  const none: Step = { name: "none", command: ["no-such-program"] };
  const outcomes = await runSteps([fault, none], () => {});
  expect(outcomes.map(({ exitCode }) => exitCode)).toEqual([3, null]);
  expect(outcomes.map(({ output }) => output.trim())).toEqual([
    "why",
    expect.stringContaining("no-such-program"),
  ]);
});
