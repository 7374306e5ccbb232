import { parseArgs } from "node:util";

import { type BackedUp, backUp, restore, type Restored } from "../../stores/sqlite/sqlite-copy.ts";
import { type Command, type Terminal, UsageError } from "../command.ts";

interface Result {
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

/** `latchkey store`: backup and restore of a SQLite store. */
export const storeCommand: Command = async (args, { environment, print, warn }) => {
  const { text, isGood } = await run(args, environment);
  (isGood ? print : warn)(text);
  return isGood ? 0 : 1;
};

async function run(args: readonly string[], environment: Terminal["environment"]): Promise<Result> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: "boolean", short: "h" },
      "end-sessions": { type: "boolean", default: false },
    },
  });
  if (values.help === true) return good(usage);
  const [action, copy, ...more] = positionals;
  if (copy === undefined || more.length > 0) throw new UsageError(usage);
  const file = storeFile(environment["LATCHKEY_STORE"]);
  if (action === "backup") return good(textOf(copy, await backUp(file, copy)));
  if (action !== "restore") throw new UsageError(usage);
  return resultOf(restore(file, copy, { endSessions: values["end-sessions"] }));
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

function textOf(copy: string, { entries, replaces }: BackedUp): string {
  const instead = replaces === null ? "" : `, in place of the copy of ${replaces}`;
  return `${entriesAre(entries)} in ${copy}${instead}.`;
}

function resultOf({ kind, entries, copiedAt }: Restored): Result {
  if (kind === "same-store") return good(`${entriesAre(entries)} back. Sign-outs since then stay.`);
  if (kind === "sessions-ended") {
    return good(
      `${entriesAre(entries)} back, sessions left out. Sessions in cookies that were ended since ${copiedAt} live again: to end all sessions from before, change LATCHKEY_SECRET.`,
    );
  }
  return refused(
    `The copy is of another store: who has signed out since ${copiedAt} is not known here, and would be signed in again. With --end-sessions the sessions of the copy end, and everything else comes back.`,
  );
}

const entriesAre = (count: number): string => (count === 1 ? "1 entry is" : `${count} entries are`);

const good = (text: string): Result => ({ text, isGood: true });
const refused = (text: string): Result => ({ text, isGood: false });
