import { version } from "../telemetry/version.ts";
import { nearestName } from "../config/nearest-name.ts";
import { type Commands, type Terminal, UsageError } from "./command.ts";
import { printable } from "./printable.ts";

const commands: Commands = {
  init: {
    summary: "adds sign-in to the app in this folder",
    load: async () => (await import("./init/init-command.ts")).initCommand,
  },
  move: {
    summary: "moves an app from nextjs-auth0",
    load: async () => (await import("./move/move-command.ts")).moveCommand,
  },
  doctor: {
    summary: "finds out why sign-in does not work",
    load: async () => (await import("./doctor/doctor-command.ts")).doctorCommand,
  },
  check: {
    summary: "judges the settings of a deployment",
    load: async () => (await import("./doctor/doctor-command.ts")).checkCommand,
  },
  provider: {
    summary: "starts a local OpenID provider, and your app beside it",
    load: async () => (await import("./provider/provider-command.ts")).providerCommand,
  },
  connect: {
    summary: "connects the app to a provider",
    load: async () => (await import("./connect/connect-command.ts")).connectCommand,
  },
  explain: {
    summary: "finds the log line of a reference, and says what it means",
    load: async () => (await import("./explain/explain-command.ts")).explainCommand,
  },
  store: {
    summary: "copies a SQLite store to a file, and puts the copy back",
    load: async () => (await import("./store/store-command.ts")).storeCommand,
  },
  completion: {
    summary: "prints the completion of this command for bash, zsh or fish",
    load: async () =>
      (await import("./completion/completion-command.ts")).completionCommand(commands),
  },
};

/** Runs a command line. Never throws. */
export async function runCommandLine(
  [name, ...args]: readonly string[],
  given: Terminal,
): Promise<number> {
  const terminal = onlyShowing(given);
  if (name === "--version" || name === "-v") return printText(terminal, version);
  if (name === "help" && args[0] !== undefined)
    return runCommandLine([args[0], "--help"], terminal);
  if (name === undefined || ["help", "--help", "-h"].includes(name))
    return printText(terminal, usage());
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    terminal.warn(`There is no command ${name}.${meantBy(name)}\n\n${usage()}`);
    return 2;
  }
  try {
    return await (
      await command.load()
    )(args, terminal);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (!isParseError(error)) {
      terminal.warn(message);
      return error instanceof UsageError ? 2 : 1;
    }
    // What Node advises after that is for other commands.
    const [fault = ""] = message.split(". ");
    terminal.warn(`${fault}.\nlatchkey ${name} --help has the options.`);
    return 2;
  }
}

/** What servers and files say passes here on its way to the terminal. */
function onlyShowing({ print, warn, ...others }: Terminal): Terminal {
  return {
    ...others,
    print: (text, color) => print(printable(text), color),
    warn: (text) => warn(printable(text)),
  };
}

function meantBy(name: string): string {
  const meant = nearestName(name.toLowerCase(), Object.keys(commands));
  return meant === undefined ? "" : ` Did you mean ${meant}?`;
}

function printText({ print }: Terminal, text: string): number {
  print(text);
  return 0;
}

function usage(): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  const lines = Object.entries(commands).map(
    ([name, { summary }]) => `  latchkey ${name.padEnd(width)}  ${summary}`,
  );
  return ["Usage:", ...lines, "", "latchkey <command> --help has the options of a command."].join(
    "\n",
  );
}

/** Node gives its own errors of a command line a code. */
function isParseError(error: unknown): boolean {
  return (
    error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS")
  );
}
