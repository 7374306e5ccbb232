import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { constants } from "node:os";
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

import { isLoopback } from "../../config/rules/rule.ts";
import { type Command, type Terminal, UsageError } from "../command.ts";
import { envLine } from "../env/env-line.ts";
import { isAnswered } from "./is-answered.ts";
import { dataFolder, localResources, localVariables, readVariables } from "./local-settings.ts";

const usage = `Usage:
  latchkey provider [--port 4000] [--resource "<address> <scopes>"]
      Starts a local OpenID provider, and prints the settings of your app for .env.local.
  latchkey provider [--port 4000] -- <command>
      Starts the provider, then the command with these settings, and ends with it. If
      LATCHKEY_ISSUER_BASE_URL names another provider, only the command is started.
  latchkey provider --with "<command>" -- <command>
      The same with two commands, such as an API server and Vite. Both end together.

  --port: LATCHKEY_PROVIDER_PORT in .env.local has the same effect
  --resource: an API that apps get access tokens for (RFC 8707), with its scopes; more than once
      for several, such as --resource "https://api.example.com read write"`;

/** `latchkey provider`: the local provider, alone or beside a command. */
export const providerCommand: Command = async (args, terminal) => {
  const end = args.indexOf("--");
  const [own, command] = end < 0 ? [args, []] : [args.slice(0, end), args.slice(end + 1)];
  const { values } = parseArgs({
    args: [...own],
    options: {
      help: { type: "boolean", short: "h" },
      port: { type: "string" },
      resource: { type: "string", multiple: true },
      with: { type: "string" },
    },
  });
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
  const resources = [...(values.resource ?? []).map(resourceOf), ...localResources(variables)];
  const ofIssuer = issuer === undefined ? "" : new URL(issuer).port;
  const port = portOf(
    values.port ?? (variables["LATCHKEY_PROVIDER_PORT"] || ofIssuer || defaultPort),
  );
  const app = localVariables(variables, `http://localhost:${port}`, terminal.cwd);
  const provider = await startProvider(terminal, { port, app, resources });
  try {
    if (!isAlone) {
      await warnOfOtherApp(app.LATCHKEY_BASE_URL, terminal);
      terminal.print(besideApp(provider.issuer, app.LATCHKEY_BASE_URL));
      return await runCommands(commands, terminal, { ...ours(variables), ...app });
    }
    const lines = Object.entries(app).map(([name, value]) => envLine(name, value));
    terminal.print(`${ready}\n\n${lines.join("\n")}\n`);
    await signalOfTheUser();
    return 0;
  } finally {
    await provider.close();
  }
};

const defaultPort = "4000";

const ready = `The local OpenID provider, for development on this machine only, is ready.
The settings of your app, for its .env.local:`;

function besideApp(issuer: string, baseURL: string): string {
  return `A local OpenID provider runs at ${issuer}. It knows this app already.
Open ${baseURL} as soon as the app has started, and sign in as one of the sample users.`;
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

interface Resource {
  readonly identifier: string;
  readonly scopes: readonly string[];
}

function resourceOf(text: string): Resource {
  const [identifier = "", ...scopes] = text.split(/[\s,]+/).filter((word) => word !== "");
  // A fragment is not allowed (RFC 8707, section 2).
  if (URL.canParse(identifier) && !identifier.includes("#")) return { identifier, scopes };
  throw new UsageError(`--resource needs the address of an API, not "${identifier}".`);
}

interface Provider {
  readonly issuer: string;
  close(): Promise<void>;
}

interface Start {
  readonly port: number;
  readonly app: ReturnType<typeof localVariables>;
  readonly resources: readonly Resource[];
}

interface ProviderModule {
  startProvider(settings: Readonly<Record<string, unknown>>): Promise<Provider>;
}

async function startProvider(
  terminal: Terminal,
  { port, app, resources }: Start,
): Promise<Provider> {
  const { startProvider: start } = await loadProvider(terminal.cwd);
  const settings = {
    port,
    appURL: app.LATCHKEY_BASE_URL,
    clientID: app.LATCHKEY_CLIENT_ID,
    clientSecret: app.LATCHKEY_CLIENT_SECRET,
    resources,
    dataFolder: path.join(terminal.cwd, dataFolder, "provider"),
  };
  try {
    return await start(settings);
  } catch (error) {
    if (!isPortTaken(error)) throw error;
    throw new Error(
      `Port ${port} is taken. Stop what uses it, or choose one with --port or LATCHKEY_PROVIDER_PORT.`,
      {
        cause: error,
      },
    );
  }
}

/** The provider is a package of its own, which apps install for development. */
async function loadProvider(folder: string): Promise<ProviderModule> {
  let file: string;
  try {
    file = createRequire(path.join(folder, "package.json")).resolve("@latchkey/provider");
  } catch (error) {
    throw new Error(
      "The local provider is not installed. Run: npm install --save-dev @latchkey/provider",
      { cause: error },
    );
  }
  return import(pathToFileURL(file).href);
}

function isPortTaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EADDRINUSE";
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
