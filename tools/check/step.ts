import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import path from "node:path";
import { compileCache } from "../start/compile-cache.ts";

/** A tool and its command line. */
export interface Step {
  readonly name: string;
  readonly command: readonly [program: string, ...args: string[]];
  readonly env?: NodeJS.ProcessEnv;
  /** Working directory. Default: the root of the repository. */
  readonly cwd?: string;
  /** An earlier step of the list, which writes the input of this one. */
  readonly after?: Step;
  /** Milliseconds until it is ended. Default: half an hour. */
  readonly limitMs?: number;
  /** Whether its output is printed even if it succeeds. */
  readonly isPrinted?: true;
}

export interface Outcome {
  readonly step: Step;
  /** `null` when it was killed. */
  readonly exitCode: number | null;
  /** Whether it was killed because it reached its time limit. */
  readonly timedOut: boolean;
  readonly output: string;
  readonly seconds: number;
}

const root = path.join(import.meta.dirname, "../..");
const bin = path.join(root, "node_modules/.bin");
const halfAnHourMs = 1_800_000;
const running = new Set<ChildProcess>();

/** Runs one step and keeps its output. A step that cannot start fails. */
export function runStep(step: Step): Promise<Outcome> {
  const { command, limitMs = halfAnHourMs } = step;
  const [program, ...args] = command;
  const startedAt = performance.now();
  const searchPath = `${bin}${path.delimiter}${process.env["PATH"]}`;
  const child = spawn(program, args, {
    cwd: step.cwd ?? root,
    env: { ...process.env, ...compileCache, ...step.env, PATH: searchPath },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  let timedOut = false;
  const limit = setTimeout(() => (timedOut = child.kill("SIGTERM")), limitMs);
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve) => {
    const finish = (exitCode: number | null, more = "") => {
      running.delete(child);
      clearTimeout(limit);
      const seconds = (performance.now() - startedAt) / 1000;
      const output = Buffer.concat(chunks).toString() + more;
      resolve({ step, exitCode, timedOut, output, seconds });
    };
    child.once("error", (error) => finish(null, error.message));
    child.once("close", (code) => finish(code));
  });
}

/** Runs the steps in order, two at a time, and calls `onEnd` after each. */
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

/** Prints one line. If the step failed or is to be printed, its whole output comes first. */
export function report(outcome: Outcome, result: string): void {
  const { step, exitCode, timedOut, output, seconds } = outcome;
  const mark = exitCode === 0 ? "ok    " : "FAILED";
  if (exitCode !== 0 || step.isPrinted) console.log(`\n${output.trimEnd()}\n`);
  const ending = timedOut ? "did not end within its time limit " : result;
  console.log(`${mark} ${step.name} ${ending}(${seconds.toFixed(1)} s)`);
}

/** Sends SIGTERM to the running steps. */
export function endRunningSteps(): void {
  for (const child of running) child.kill("SIGTERM");
}
