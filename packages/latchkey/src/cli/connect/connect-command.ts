import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { versions } from "node:process";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";

import { ambient } from "../../ambient.ts";
import type { Config } from "../../config/config.ts";
import { connectionVariable, faultsOfIDs } from "../../config/connection-ids.ts";
import { optionsFromEnvironment } from "../../config/environment.ts";
import { isLoopback } from "../../config/rules/rule.ts";
import { type Command, reasonOf, type Terminal, UsageError } from "../command.ts";
import { judgeLoader } from "../doctor/settings/judge-loader.ts";
import { readProject } from "../doctor/settings/project.ts";
import { readVariables, wordsOf } from "../provider/local-settings.ts";
import { type Dialect, dialectOf } from "./dialects.ts";
import { findProvider, type FoundProvider } from "./find-provider.ts";
import { describeRequest, registerClient, registrationEndpoint } from "./register-client.ts";
import { clientConfig, registrationOf, testClient } from "./test-client.ts";
import { assertWritable, type WrittenSettings, writeSettings } from "./write-settings.ts";

const usage = `Usage: latchkey connect <issuer> [options]
  Prints what to register at the provider. With --client-id it reads the client secret from a
  hidden prompt, standard input or a file, tests both, and writes .env.local.
  --client-id <id>             what the provider gave you
  --client-secret-file <file>  a file with the client secret
  --register                   let the provider register the app by itself, if it offers this
  --connection <id>            one more provider, such as acme, beside that of the flat settings
  --base-url <address>         the address of the app
  --cwd <folder>               the app; by default this folder
  --force                      write the settings even if the test fails`;

const options = {
  "client-id": { type: "string" },
  "client-secret-file": { type: "string" },
  register: { type: "boolean" },
  "base-url": { type: "string" },
  connection: { type: "string" },
  cwd: { type: "string" },
  force: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

/** `latchkey connect`: from an issuer to settings that were tested. */
export const connectCommand: Command = async (args, terminal) => {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  if (values.help === true) {
    terminal.print(usage);
    return 0;
  }
  const [address, ...more] = positionals;
  if (address === undefined || more.length > 0) throw new UsageError(usage);
  if (values.register === true && values["client-id"] !== undefined) {
    throw new UsageError("--register makes a new client, and --client-id names one: use one.");
  }
  const { connection } = values;
  checkID(connection);
  const folder = resolve(terminal.cwd, values.cwd ?? ".");
  const known = readVariables(folder, terminal.environment);
  const app = appOf(known, values["base-url"]);
  // Wrong addresses are found before the first request.
  const planned = clientConfig({ ...app, ...draft }, connection);
  const found = await findProvider(address, ambient.fetch);
  const { issuer } = found;
  const dialect = dialectOf(issuer);
  if (connection === undefined) explainReplacement(terminal, known, issuer);
  terminal.print(registration(dialect, { issuer, planned, connection }));
  const client =
    values["client-id"] === undefined
      ? await register(terminal, {
          folder,
          found,
          planned,
          known,
          connection,
          isAsked: values.register === true,
        })
      : {
          clientID: values["client-id"],
          clientSecret: await readSecret(terminal, values["client-secret-file"], dialect),
        };
  if (client === null) {
    terminal.print(`\nThen run it again with --client-id and the "${dialect.clientID}".`);
    return 0;
  }
  terminal.print("\nTesting the client: one request for a sign-in, and one with an invented code.");
  const settings = { ...app, ...client, issuerBaseURL: issuer };
  const { faults, notes } = await testClient(clientConfig(settings, connection), ambient.fetch);
  for (const sentence of [...faults, ...notes]) terminal.print(sentence);
  // A registered client has its secret nowhere else.
  const isKept = faults.length === 0 || values.force === true || "managedAt" in client;
  if (!isKept) {
    terminal.warn("Nothing was written. Correct it at the provider, or write it with --force.");
    return 1;
  }
  keepSettings(terminal, {
    folder,
    known,
    login: planned.routes.login,
    written: { ...settings, connection, variables: dialect.variables },
  });
  return faults.length === 0 || values.force === true ? 0 : 1;
};

/** What the addresses of the app are made of. */
function appOf(known: Terminal["environment"], baseURL: string | undefined) {
  const { routes, pagesPrefix } = optionsFromEnvironment(known).options;
  const written = baseURL || known["LATCHKEY_BASE_URL"] || "http://localhost:3000";
  return { baseURLs: wordsOf(written), routes, pagesPrefix };
}

interface Kept {
  readonly folder: string;
  readonly known: Terminal["environment"];
  /** The path of login. */
  readonly login: string;
  readonly written: WrittenSettings;
}

/** Writes the settings, and says what may keep the app from reading them. */
function keepSettings(terminal: Terminal, kept: Kept): void {
  const { folder, written } = kept;
  for (const name of writeSettings(folder, written)) {
    if (terminal.environment[name] === undefined) continue;
    terminal.warn(`${name} is also set in the environment of this shell, and that value wins.`);
  }
  const project = readProject(folder, terminal.environment, versions.node);
  for (const { what, remedy } of judgeLoader(project)) terminal.warn(`${what} ${remedy}`);
  if (written.connection !== undefined) explainConnection(terminal, written.connection, kept);
  terminal.print(".env.local has the settings of the provider. Start the app again.");
}

/** @throws {UsageError} for what is no id of a connection */
function checkID(connection: string | undefined): void {
  if (connection === undefined) return;
  const [fault] = faultsOfIDs([connection]);
  if (fault === undefined) return;
  throw new UsageError(`--connection ${connection} ${fault.message}. ${fault.remedy}`);
}

function explainConnection(
  { print, warn }: Terminal,
  connection: string,
  { known, login }: Kept,
): void {
  if (!known["LATCHKEY_ISSUER_BASE_URL"]) {
    warn("The app needs a provider of its own, too: run latchkey connect without --connection.");
  }
  const label = connectionVariable(connection, "LATCHKEY_LABEL");
  print(
    `Users sign in there at ${login}/${connection}, and where they choose; ${label} is its name there. Tell users apart by identity.id: user.sub of two providers may be the same.`,
  );
}

/** The local provider is there to be replaced. */
function explainReplacement(
  { print }: Terminal,
  { LATCHKEY_ISSUER_BASE_URL: former = "" }: Terminal["environment"],
  issuer: string,
): void {
  if (former === issuer || !URL.canParse(former) || isLoopback(former)) return;
  print(
    `The app signs in at ${former}. This provider takes its place; with --connection <id> it is added beside it.\n`,
  );
}

interface Planned {
  readonly issuer: string;
  readonly planned: Config;
  readonly connection: string | undefined;
}

function registration(dialect: Dialect, { issuer, planned, connection }: Planned): string {
  const { callback, signedOut } = dialect.fields;
  const { redirectURIs, afterLogout } = registrationOf(planned);
  const isOneField = signedOut === callback;
  const named = connection === undefined ? "" : `Connection ${connection}. `;
  const lines = [
    `${named}${dialect.name}: ${issuer}`,
    "Register these addresses there, letter by letter:",
    "",
    `${callback}:`,
    ...redirectURIs,
    ...(signedOut === undefined || isOneField ? [] : [`${signedOut}:`]),
    ...(signedOut === undefined ? [] : afterLogout),
  ];
  const others = (dialect.choices ?? []).map(([field, value]) => `${field}: ${value}`);
  return [
    ...lines,
    ...(others.length === 0 ? [] : ["", ...others]),
    "",
    `More: https://latchkey-auth.github.io/latchkey/${dialect.id === "" ? "guides/providers" : `providers/${dialect.id}`}`,
  ].join("\n");
}

/** In place of what the provider gives an app. */
const draft = { issuerBaseURL: "https://id.example", clientID: "app", clientSecret: "secret" };

interface Registration {
  readonly folder: string;
  readonly found: FoundProvider;
  readonly planned: Config;
  readonly known: Terminal["environment"];
  readonly connection: string | undefined;
  /** With `--register`. */
  readonly isAsked: boolean;
}

/** Registers the app by itself, only with consent. `null` without it. */
async function register(
  terminal: Terminal,
  { folder, found, planned, known, connection, isAsked }: Registration,
): Promise<Pick<WrittenSettings, "clientID" | "clientSecret" | "clientAuthMethod"> | null> {
  const endpoint = registrationEndpoint(found);
  if (endpoint === null) {
    if (!isAsked) return null;
    throw new Error("The provider registers no app by itself: register it there.");
  }
  const variableOf = (name: string) =>
    connection === undefined ? name : connectionVariable(connection, name);
  const clientID = variableOf("LATCHKEY_CLIENT_ID");
  const former = known[clientID];
  if (isAsked && former && known[variableOf("LATCHKEY_ISSUER_BASE_URL")] === found.issuer) {
    throw new Error(
      `This app has the client ${former} at this provider. Remove ${clientID} to register another one.`,
    );
  }
  const request = describeRequest(found, planned);
  const shown = `\nThe provider can register the app by itself, with this request to ${endpoint}:\n${JSON.stringify(request, null, 2)}`;
  terminal.print(shown);
  if (!isAsked && !(await isAgreed(terminal))) return null;
  assertWritable(folder, {
    ...draft,
    connection,
    baseURLs: planned.baseURLs,
    issuerBaseURL: found.issuer,
  });
  const client = await registerClient(found, request, ambient.fetch);
  terminal.print(`\nThe app is registered as ${client.clientID}.`);
  return client;
}

async function isAgreed({ isInteractive, print }: Terminal): Promise<boolean> {
  if (!isInteractive) {
    print("It does so with --register.");
    return false;
  }
  const { confirm } = await import("@clack/prompts");
  return (await confirm({ message: "Register the app now?", initialValue: false })) === true;
}

/** Never from an argument: other users of the machine see those. */
async function readSecret(
  { cwd, input, isInteractive }: Terminal,
  file: string | undefined,
  { clientSecret }: Dialect,
): Promise<string> {
  if (file !== undefined) return readSecretFile(resolve(cwd, file)).trim();
  const secret = isInteractive ? await askSecret(clientSecret) : (await text(input)).trim();
  if (secret !== "") return secret;
  throw new UsageError(
    "The client secret is missing: pass it on standard input, or name a file with --client-secret-file.",
  );
}

function readSecretFile(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${reasonOf(error)}.`, { cause: error });
  }
}

async function askSecret(name: string): Promise<string> {
  const { password } = await import("@clack/prompts");
  const answer = await password({ message: `The "${name}" of the client` });
  return typeof answer === "string" ? answer.trim() : "";
}
