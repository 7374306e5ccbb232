import { spawn } from "node:child_process";
import { constants } from "node:os";
import process from "node:process";
import { parseArgs } from "node:util";

import { isLoopback } from "../../config/rules/rule.ts";
import { type Command, type Terminal, UsageError } from "../command.ts";
import { envLine } from "../env/env-line.ts";
import { isAnswered } from "./is-answered.ts";
import {
  localResources,
  type LocalVariables,
  localVariables,
  readVariables,
  wordsOf,
} from "./local-settings.ts";
import {
  type LocalProvider,
  type Resource,
  type Start,
  startLocalProvider,
} from "./start-local-provider.ts";

const usage = `Usage:
  latchkey provider [--as acme,globex] [--port 4000] [--resource "<address> <scopes>"]
      Starts a local OpenID provider, and prints the settings of your app for .env.local.
  latchkey provider [--port 4000] -- <command>
      Starts the provider, then the command with these settings, and ends with it. If
      LATCHKEY_ISSUER_BASE_URL names another provider, only the command is started.
  latchkey provider --with "<command>" -- <command>
      The same with two commands, such as an API server and Vite. Both end together.

  --as acme,globex: plays the providers of customers, too, each with its own issuer and users;
      LATCHKEY_PROVIDER_AS in .env.local has the same effect
  --port: LATCHKEY_PROVIDER_PORT in .env.local has the same effect
  --resource: an API that apps get access tokens for (RFC 8707), with its scopes; more than once
      for several, such as --resource "https://api.example.com read write"`;

const options = {
  as: { type: "string" },
  help: { type: "boolean", short: "h" },
  port: { type: "string" },
  resource: { type: "string", multiple: true },
  with: { type: "string" },
} as const;

/** `latchkey provider`: the local provider, alone or beside a command. */
export const providerCommand: Command = async (args, terminal) => {
  const end = args.indexOf("--");
  const [own, command] = end < 0 ? [args, []] : [args.slice(0, end), args.slice(end + 1)];
  const { values } = parseArgs({ args: [...own], options });
  if (values.help === true) {
    terminal.print(usage);
    return 0;
  }
  const isAlone = command.length === 0;
  if (isAlone && (end >= 0 || values.with !== undefined)) throw new UsageError(usage);
  const other = values.with?.split(" ").filter((word) => word !== "") ?? [];
  const commands = [other, command].filter((words) => words.length > 0);

  const variables = readVariables(terminal.cwd, terminal.environment);
  const issuer = variables["LATCHKEY_ISSUER_BASE_URL"];
  if (issuer && !isLocal(issuer)) {
    if (isAlone) {
      throw new Error(
        `LATCHKEY_ISSUER_BASE_URL is ${issuer}. Remove it to use the local provider.`,
      );
    }
    terminal.print(`Your app signs in at ${issuer}, so the local provider is not started.`);
    return runCommands(commands, terminal, ours(variables));
  }
  const start = readStart(values, variables, terminal.cwd);
  const provider = await startLocalProvider(start);
  try {
    if (isAlone) return await printSettings(provider, terminal);
    await warnOfOtherApp(firstOf(start.app), terminal);
    terminal.print(besideApp(provider, start));
    return await runCommands(commands, terminal, { ...ours(variables), ...provider.variables });
  } finally {
    await provider.close();
  }
};

interface Values {
  readonly as?: string | undefined;
  readonly port?: string | undefined;
  readonly resource?: readonly string[] | undefined;
}

/** An option counts before its variable. */
function readStart(values: Values, variables: Terminal["environment"], folder: string): Start {
  const ofIssuer = URL.parse(variables["LATCHKEY_ISSUER_BASE_URL"] ?? "")?.port;
  const port = portOf(
    values.port ?? (variables["LATCHKEY_PROVIDER_PORT"] || ofIssuer || defaultPort),
  );
  return {
    folder,
    port,
    routesPrefix: variables["LATCHKEY_ROUTES_PREFIX"] || undefined,
    app: localVariables(variables, `http://localhost:${port}`, folder),
    resources: [...(values.resource ?? []).map(resourceOf), ...localResources(variables)],
    customers: wordsOf(values.as ?? variables["LATCHKEY_PROVIDER_AS"]),
  };
}

async function printSettings({ variables }: LocalProvider, { print }: Terminal): Promise<number> {
  const lines = Object.entries(variables).map(([name, value]) => envLine(name, value));
  print(`${ready}\n\n${lines.join("\n")}\n`);
  await signalOfTheUser();
  return 0;
}

const defaultPort = "4000";

const ready = `The local OpenID provider, for development on this machine only, is ready.
The settings of your app, for its .env.local:`;

function besideApp({ url }: LocalProvider, { app, customers }: Start): string {
  const names =
    customers.length === 0
      ? ""
      : ` and plays ${customers.join(", ").replace(/, ([^,]*)$/, " and $1")}`;
  return `A local OpenID provider runs at ${url}${names}. It knows this app already.
Open ${firstOf(app)} as soon as the app has started, and sign in as one of the sample users.`;
}

/** Of several base URLs the first one is the primary one. */
function firstOf({ LATCHKEY_BASE_URL: written }: LocalVariables): string {
  return wordsOf(written)[0] ?? written;
}

/** Frameworks go on at the next port if theirs is taken, and sign-in would lead to another app. */
async function warnOfOtherApp(baseURL: string, { warn }: Terminal): Promise<void> {
  if (!URL.canParse(baseURL) || !isLoopback(baseURL) || !(await isAnswered(baseURL))) return;
  warn(
    `Another program already answers at ${baseURL}, and sign-in would lead there. Stop it, or give the app another port: in its script dev and in LATCHKEY_BASE_URL.`,
  );
}

/** Not every framework reads `.env.local`, so the command gets all of our variables. */
function ours(variables: Terminal["environment"]): Terminal["environment"] {
  return Object.fromEntries(
    Object.entries(variables).filter(([name]) => name.startsWith("LATCHKEY_")),
  );
}

function isLocal(issuer: string): boolean {
  const { protocol, hostname } = URL.parse(issuer) ?? {};
  return protocol === "http:" && hostname === "localhost";
}

function portOf(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new UsageError(`The port must be a number from 1 to 65535, not "${text}".`);
}

function resourceOf(text: string): Resource {
  const [identifier = "", ...scopes] = wordsOf(text);
  // A fragment is not allowed (RFC 8707, section 2).
  if (URL.canParse(identifier) && !identifier.includes("#")) return { identifier, scopes };
  throw new UsageError(`--resource needs the address of an API, not "${identifier}".`);
}

/** Runs commands of the app until one of them ends. Returns its exit code. */
async function runCommands(
  commands: readonly (readonly string[])[],
  terminal: Terminal,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const running = commands.map((command) => startCommand(command, terminal, variables));
  const stop = () => running.forEach(({ child }) => child.kill("SIGTERM"));
  // Ctrl-C reaches the commands themselves; this process waits for their end.
  const wait = () => {};
  process.once("SIGTERM", stop);
  process.on("SIGINT", wait);
  try {
    return await Promise.race(running.map(({ exitCode }) => exitCode));
  } finally {
    stop();
    await Promise.allSettled(running.map(({ exitCode }) => exitCode));
    process.off("SIGTERM", stop);
    process.off("SIGINT", wait);
  }
}

function startCommand(
  [name = "", ...args]: readonly string[],
  { cwd, environment }: Terminal,
  variables: Readonly<Record<string, string | undefined>>,
) {
  const child = spawn(name, args, {
    cwd,
    env: { ...environment, ...variables },
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  const exitCode = new Promise<number>((resolve, reject) => {
    child.once("error", (error) => reject(new Error(`${name} cannot be run: ${error.message}`)));
    child.once("close", (code, signal) =>
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    );
  });
  return { child, exitCode };
}

function signalOfTheUser(): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
  });
}
