import { resolve } from "node:path";
import { parseArgs } from "node:util";

import { ambient } from "../../ambient.ts";
import type { Command, Terminal } from "../command.ts";
import { install } from "../init/install.ts";
import {
  installCommand,
  type Manager,
  managersOf,
  removeCommand,
} from "../init/package-manager.ts";
import { unifiedDiff } from "../init/unified-diff.ts";
import { writeIfConfirmed } from "../init/write-if-confirmed.ts";
import { formerPackage } from "./former-imports.ts";
import { type Move, readMove } from "./read-move.ts";
import { loadParser } from "./syntax.ts";

const usage = `Usage: latchkey move [options]
Moves an app of Next.js from nextjs-auth0 3 or 4. It needs oxc-parser: npm install --no-save oxc-parser
  --cwd <folder>   the app; by default this folder
  --no-install     leave the installation to you
  --dry-run        print the changes as a diff, and change nothing
  --yes            do not wait for a confirmation`;

const options = {
  cwd: { type: "string" },
  "no-install": { type: "boolean" },
  "dry-run": { type: "boolean" },
  yes: { type: "boolean", short: "y" },
  help: { type: "boolean", short: "h" },
} as const;

/** Moves an app from nextjs-auth0: shows the plan, then writes all of it or nothing. */
export const moveCommand: Command = async (args, terminal) => {
  const { values } = parseArgs({ args: [...args], options });
  if (values.help === true) return print(terminal, usage);
  const folder = resolve(terminal.cwd, values.cwd ?? ".");
  const move = readMove({ folder, parse: await loadParser(folder), now: ambient.clock() });
  const { changes, toDo } = move;
  if (values["dry-run"] === true) return print(terminal, diffOf(move) + toDoLines(toDo));
  const [manager = "npm"] = managersOf(move.project, terminal.environment);
  const commands = values["no-install"] === true ? [] : commandsOf(move, manager);
  terminal.print(describe(move, commands));
  const canceled = await writeIfConfirmed(folder, changes, { terminal, yes: values.yes });
  if (canceled !== null) return canceled;
  for (const command of commands) {
    if (await install(folder, command, terminal)) continue;
    throw new Error(`The files are written, but a command failed. Run it yourself: ${command}`);
  }
  return print(terminal, toDoLines(toDo) + nextLines(move));
};

function commandsOf({ packages }: Move, manager: Manager): readonly string[] {
  const adding = packages.length === 0 ? [] : [installCommand(manager, packages, false)];
  return [...adding, removeCommand(manager, [formerPackage])];
}

function describe({ project, version, changes }: Move, commands: readonly string[]): string {
  return [
    `nextjs-auth0 ${version} in ${project.folder}`,
    ...commands.map((command) => `  run     ${command}`),
    ...changes.map(({ path, before, isRemoved }) => {
      const what = isRemoved === true ? "remove" : before === null ? "create" : "change";
      return `  ${what.padEnd(7)} ${path}`;
    }),
  ].join("\n");
}

/** Files of variables have secrets: their values appear nowhere. */
function diffOf({ changes }: Move): string {
  const isSecret = ({ path }: { readonly path: string }) => path.startsWith(".env");
  const names = changes
    .filter(isSecret)
    .map(({ path }) => `# ${path} gets the names of Latchkey\n`);
  return (
    names.join("") +
    changes
      .filter((each) => !isSecret(each))
      .map(unifiedDiff)
      .join("")
  );
}

function toDoLines(toDo: Move["toDo"]): string {
  if (toDo.length === 0) return "";
  const lines = toDo.map(
    ({ path, line, what, page }) =>
      `  ${path}:${line}  ${what}\n    https://latchkey-auth.github.io/latchkey/${page}`,
  );
  return `\nLeft to you:\n\n${lines.join("\n")}\n`;
}

function nextLines({ version }: Move): string {
  const page = version === 3 ? "guides/from-nextjs-auth0" : "moving/nextjs-auth0-4";
  return `\nRename the variables at your host as in your .env files. Then build the app, sign in and sign out.\nMore: https://latchkey-auth.github.io/latchkey/${page}`;
}

function print(terminal: Terminal, text: string): number {
  terminal.print(text.trimEnd());
  return 0;
}
