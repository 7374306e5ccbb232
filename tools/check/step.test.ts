import { expect, it } from "vitest";
import { runSteps } from "./step.ts";
import type { Step } from "./step.ts";

function script(name: string, code: string, after?: Step): Step {
  return { name, command: ["node", "-e", code], ...(after && { after }) };
}

it("starts a step only after the step that writes what it reads", async () => {
  const slow = script("slow", "setTimeout(() => {}, 200)");
  const quick = script("quick", "0");
  const reader = script("reader", "0", slow);
  const ended: string[] = [];
  await runSteps([slow, quick, reader], ({ step }) => ended.push(step.name));
  expect(ended).toEqual(["quick", "slow", "reader"]);
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
