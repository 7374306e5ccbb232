import { parseArgs } from "node:util";

import { backUp, restore, type Restored } from "../stores/sqlite/sqlite-copy.ts";

/** What a command has to say, and whether it has done what it was asked for. */
export interface CommandResult {
  readonly text: string;
  readonly isGood: boolean;
}

const usage = `Usage:
  latchkey store backup <file>
      Copies the store to a file, while the app runs.
  latchkey store restore <file> [--end-sessions]
      Puts back what the copy has and the store has lost. Sign-outs stay.
      --end-sessions: also into another store; sessions of the copy end.

LATCHKEY_STORE names the store: sqlite:<file>. Redis and PostgreSQL have tools of their own.`;

/** Runs what the command line asks for. Never throws. */
export async function runCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<CommandResult> {
  try {
    const { positionals, values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: "boolean", short: "h" },
        "end-sessions": { type: "boolean", default: false },
      },
    });
    if (values.help === true) return good(usage);
    const [subject, action, copy, ...more] = positionals;
    if (subject !== "store" || copy === undefined || more.length > 0) return refused(usage);
    const file = storeFile(environment["LATCHKEY_STORE"]);
    if (action === "backup") return good(`${await backUp(file, copy)} entries are in ${copy}.`);
    if (action !== "restore") return refused(usage);
    return resultOf(restore(file, copy, { endSessions: values["end-sessions"] }));
  } catch (error) {
    return refused(error instanceof Error ? error.message : String(error));
  }
}

function storeFile(address = ""): string {
  const file = /^sqlite:(.+)$/.exec(address)?.[1];
  if (file === undefined || file === ":memory:") {
    throw new TypeError(
      "LATCHKEY_STORE must name the file of a store: sqlite:<file>. Redis and PostgreSQL have tools of their own.",
    );
  }
  return file;
}

function resultOf({ kind, entries, copiedAt }: Restored): CommandResult {
  if (kind === "same-store") return good(`${entries} entries are back. Sign-outs since then stay.`);
  if (kind === "sessions-ended") {
    return good(
      `${entries} entries are back, sessions left out. Sessions in cookies that were ended since ${copiedAt} live again: to end all sessions from before, change LATCHKEY_SECRET.`,
    );
  }
  return refused(
    `The copy is of another store: who has signed out since ${copiedAt} is not known here, and would be signed in again. With --end-sessions the sessions of the copy end, and everything else comes back.`,
  );
}

const good = (text: string): CommandResult => ({ text, isGood: true });
const refused = (text: string): CommandResult => ({ text, isGood: false });
