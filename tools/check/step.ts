import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import path from "node:path";

/** One tool, and how it is run. */
export interface Step {
  readonly name: string;
  readonly command: readonly [program: string, ...args: string[]];
  readonly env?: NodeJS.ProcessEnv;
  /** Where it runs. Default: the root of the repository. */
  readonly cwd?: string;
  /** An earlier step of the list that writes what this one reads. */
  readonly after?: Step;
}

export interface Outcome {
  readonly step: Step;
  /** `null` when it was killed, or took longer than half an hour. */
  readonly exitCode: number | null;
  readonly output: string;
  readonly seconds: number;
}

const root = path.join(import.meta.dirname, "../..");
const bin = path.join(root, "node_modules/.bin");
const longestMs = 1_800_000;
const running = new Set<ChildProcess>();

/** Runs one step and keeps its output. A step that cannot start has failed. */
export function runStep(step: Step): Promise<Outcome> {
  const [program, ...args] = step.command;
  const startedAt = performance.now();
  const searchPath = `${bin}${path.delimiter}${process.env["PATH"]}`;
  const child = spawn(program, args, {
    cwd: step.cwd ?? root,
    env: { ...process.env, ...step.env, PATH: searchPath },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: longestMs,
  });
  running.add(child);
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve) => {
    const finish = (exitCode: number | null, more = "") => {
      running.delete(child);
      const seconds = (performance.now() - startedAt) / 1000;
      resolve({ step, exitCode, output: Buffer.concat(chunks).toString() + more, seconds });
    };
    child.once("error", (error) => finish(null, error.message));
    child.once("close", (code) => finish(code));
  });
}

/** Runs the steps in their order, two at a time, and calls `onEnd` after each. */
export async function runSteps(
  steps: readonly Step[],
  onEnd: (outcome: Outcome) => void,
): Promise<Outcome[]> {
  const waiting = [...steps];
  const started = new Map<Step, Promise<Outcome>>();
  async function takeTurns(): Promise<void> {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      if (step.after) await started.get(step.after);
      const outcome = runStep(step);
      started.set(step, outcome);
      onEnd(await outcome);
    }
  }
  await Promise.all([takeTurns(), takeTurns()]);
  return Promise.all(started.values());
}

/** Prints one line, and before it the whole output where the step failed. */
export function report({ step, exitCode, output, seconds }: Outcome, result: string): void {
  const mark = exitCode === 0 ? "ok    " : "FAILED";
  if (exitCode !== 0) console.log(`\n${output.trim()}\n`);
  console.log(`${mark} ${step.name} ${result}(${seconds.toFixed(1)} s)`);
}

/** Ends the running steps. */
export function endRunningSteps(): void {
  for (const child of running) child.kill("SIGTERM");
}
