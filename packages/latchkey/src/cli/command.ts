import type { Readable } from "node:stream";

export type Color = "green" | "blue" | "yellow" | "red" | "gray";

/** What a command uses of the process, so that a test can give it something else. */
export interface Terminal {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Standard input. */
  readonly input: Readable;
  /** Whether a user can answer questions. */
  readonly isInteractive: boolean;
  /** Writes a line to standard output. Its first word gets the color, if the terminal has any. */
  readonly print: (text: string, color?: Color) => void;
  /** Writes a line to standard error. */
  readonly warn: (text: string) => void;
}

/** A command of `latchkey`. Returns its exit code. */
export type Command = (args: readonly string[], terminal: Terminal) => Promise<number>;

/** A command in the list of all, loaded when it is needed: some need modules that others do not. */
export interface CommandEntry {
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** Every command by its name. */
export type Commands = Readonly<Record<string, CommandEntry>>;

/** The command line is wrong: the exit code is 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The reason of a failed file operation, without the code and the path of Node's message. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/^\w+: /, "").replace(/, .*/s, "");
}
