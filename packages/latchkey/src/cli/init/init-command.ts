import { resolve } from "node:path";
import { parseArgs } from "node:util";

import { type Command, type Terminal, UsageError } from "../command.ts";
import { install } from "./install.ts";
import { installCommand, type Manager, managers, managersOf } from "./package-manager.ts";
import { type Plan, readPlan } from "./read-plan.ts";
import { changesOf, describeBlocks, describePlan, diffOf } from "./show-plan.ts";
import { who } from "./templates/who.ts";
import { writeIfConfirmed } from "./write-if-confirmed.ts";
import { withoutTrailingSlashes } from "../../http/trailing-slash.ts";

const usage = `Usage: latchkey init [options]
  --cwd <folder>             the app; by default this folder
  --framework <name>         instead of the one among the dependencies
  --base-url <address>       the address of the app; by default its development server
  --package-manager <name>   npm, pnpm, yarn or bun
  --no-install               leave the installation to you
  --dry-run                  print the changes as a diff, and change nothing
  --yes                      do not wait for a confirmation`;

const options = {
  cwd: { type: "string" },
  framework: { type: "string" },
  "base-url": { type: "string" },
  "package-manager": { type: "string" },
  "no-install": { type: "boolean" },
  "dry-run": { type: "boolean" },
  yes: { type: "boolean", short: "y" },
  help: { type: "boolean", short: "h" },
} as const;

/** Adds sign-in to the app in a folder: shows the plan, then writes all of it or nothing. */
export const initCommand: Command = async (args, terminal) => {
  const { values } = parseArgs({ args: [...args], options });
  if (values.help === true) return print(terminal, usage);
  const folder = resolve(terminal.cwd, values.cwd ?? ".");
  const plan = readPlan({ folder, framework: values.framework, baseURL: values["base-url"] });
  const blocks = describeBlocks(plan.steps);
  if (values["dry-run"] === true && blocks === "") return print(terminal, diffOf(plan).trimEnd());
  const manager = managerOf(plan, terminal, values["package-manager"]);
  const installs = values["no-install"] === true ? [] : installsOf(plan, manager);
  terminal.print(describePlan(plan, installs));
  if (blocks !== "") throw new UsageError(`\nNothing has changed. ${blocks}`);
  const changes = changesOf(plan);
  if (changes.length === 0 && installs.length === 0)
    return print(terminal, nextLines(plan, manager));
  const canceled = await writeIfConfirmed(folder, changes, {
    terminal,
    yes: values.yes,
    otherWay: ', or add the lines of "latchkey init --dry-run" yourself',
  });
  if (canceled !== null) return canceled;
  const failed = await installAll(folder, installs, terminal);
  if (failed.length > 0) {
    throw new Error(
      `The files are written, but the installation failed. Run it yourself: ${failed.join(" && ")}`,
    );
  }
  return print(terminal, nextLines(plan, manager));
};

function managerOf(plan: Plan, terminal: Terminal, named: string | undefined): Manager {
  const chosen = managers.find((name) => name === named);
  if (chosen !== undefined) return chosen;
  const list = managers.join(", ");
  if (named !== undefined) throw new UsageError(`--package-manager must be one of ${list}.`);
  const found = managersOf(plan.project, terminal.environment);
  if (found.length > 1 && plan.packages.length > 0) {
    throw new UsageError(
      `There are lock files of ${found.join(" and ")}: name the one to use with --package-manager.`,
    );
  }
  return found[0] ?? "npm";
}

function installsOf({ packages }: Plan, manager: Manager): readonly string[] {
  return [false, true].flatMap((isDev) => {
    const names = packages.filter((each) => each.isDev === isDev).map(({ name }) => name);
    return names.length === 0 ? [] : [installCommand(manager, names, isDev)];
  });
}

/** Returns the commands that have failed, and those after the first one. */
async function installAll(
  folder: string,
  commands: readonly string[],
  terminal: Terminal,
): Promise<readonly string[]> {
  const [first, ...others] = commands;
  if (first === undefined) return [];
  return (await install(folder, first, terminal)) ? installAll(folder, others, terminal) : commands;
}

function nextLines({ host, project, baseURL }: Plan, manager: Manager): string {
  const page = withoutTrailingSlashes(baseURL) + host.page(project);
  return `\nSign-in is set up. Start the app:\n\n  ${manager} run dev\n\nThen open ${page} and sign in as one of the sample users.${whoLines(host)}\nMore: ${host.guide}`;
}

/** The lines that show who is signed in; the page of an app of Vite does already. */
function whoLines({ id, beside }: Plan["host"]): string {
  const found = beside === undefined ? who[id] : undefined;
  return found === undefined
    ? ""
    : `\n\n${found.place}, two lines show who is signed in:\n\n  ${found.lines.join("\n  ")}\n`;
}

function print(terminal: Terminal, text: string): number {
  terminal.print(text);
  return 0;
}
