import { type Terminal, UsageError } from "../command.ts";
import { dirtyFiles } from "./git.ts";
import { type FileChange, writeChanges } from "./write-changes.ts";

/** As of a process that Ctrl-C has ended. */
const canceled = 130;

interface Consent {
  readonly terminal: Terminal;
  /** The option `--yes`: no confirmation is needed. */
  readonly yes: boolean | undefined;
  /** What helps beside a commit, if a file has changes; the end of a sentence. */
  readonly otherWay?: string;
}

/**
 * Writes changes after a confirmation.
 *
 * @returns the exit code of a canceled command; `null` if everything is written
 * @throws {UsageError} for a file with changes outside a commit, or without a terminal
 */
export async function writeIfConfirmed(
  folder: string,
  changes: readonly FileChange[],
  { terminal, yes, otherWay = "" }: Consent,
): Promise<number | null> {
  const paths = changes.map(({ path }) => path);
  const [dirty] = dirtyFiles(folder, paths);
  if (dirty !== undefined) {
    throw new UsageError(
      `${dirty} has changes without a commit, and nothing was written: commit it first${otherWay}.`,
    );
  }
  if (yes !== true && !(await isConfirmed(terminal))) {
    terminal.warn("Nothing has changed.");
    return canceled;
  }
  writeChanges(folder, changes);
  return null;
}

async function isConfirmed({ isInteractive }: Terminal): Promise<boolean> {
  if (!isInteractive) {
    throw new UsageError("There is no terminal for a confirmation: run it again with --yes.");
  }
  const { confirm } = await import("@clack/prompts");
  return (await confirm({ message: "Write these changes?" })) === true;
}
