import { Readable } from "node:stream";

import type { Terminal } from "../../src/cli/command.ts";
import { runCommandLine } from "../../src/cli/run-command-line.ts";

export interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Surroundings {
  readonly cwd: string;
  readonly environment?: Terminal["environment"];
  readonly input?: string;
}

/** Runs a command line in this process, without a terminal. */
export async function runLatchkey(
  args: readonly string[],
  { cwd, environment = {}, input = "" }: Surroundings,
): Promise<Outcome> {
  let [stdout, stderr] = ["", ""];
  const exitCode = await runCommandLine(args, {
    cwd,
    environment,
    input: Readable.from([input]),
    isInteractive: false,
    print: (text) => void (stdout += `${text}\n`),
    warn: (text) => void (stderr += `${text}\n`),
  });
  return { exitCode, stdout, stderr };
}
