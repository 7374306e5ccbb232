import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";

import { ambient } from "../../config/ambient.ts";
import { type Command, type Terminal, UsageError } from "../command.ts";
import { readVariables } from "../provider/local-settings.ts";
import { type Dialect, dialectOf } from "./dialects.ts";
import { findIssuer } from "./find-provider.ts";
import { testClient } from "./test-client.ts";
import { writeSettings } from "./write-settings.ts";

const usage = `Usage: latchkey connect <issuer> [options]
  Prints what to register at the provider. With --client-id it reads the client secret from a
  hidden prompt, standard input or a file, tests both, and writes .env.local.
  --client-id <id>             what the provider gave you
  --client-secret-file <file>  a file with the client secret
  --base-url <address>         the address of the app
  --cwd <folder>               the app; by default this folder
  --force                      write the settings even if the test fails`;

const options = {
  "client-id": { type: "string" },
  "client-secret-file": { type: "string" },
  "base-url": { type: "string" },
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
  const folder = resolve(terminal.cwd, values.cwd ?? ".");
  const known = readVariables(folder, terminal.environment);
  const baseURL = values["base-url"] ?? known["LATCHKEY_BASE_URL"] ?? "http://localhost:3000";
  const issuer = await findIssuer(address, ambient.fetch);
  const dialect = dialectOf(issuer);
  terminal.print(registration(dialect, issuer, baseURL.replace(/\/$/, "")));
  const clientID = values["client-id"];
  if (clientID === undefined) {
    terminal.print(`\nThen run it again with --client-id and the "${dialect.clientID}".`);
    return 0;
  }
  const clientSecret = await readSecret(terminal, values["client-secret-file"], dialect);
  terminal.print("\nTesting the client: one request for a sign-in, and one with an invented code.");
  const settings = { issuerBaseURL: issuer, clientID, clientSecret, baseURL };
  const { faults, notes } = await testClient(settings, ambient.fetch);
  for (const sentence of [...faults, ...notes]) terminal.print(sentence);
  if (faults.length > 0 && values.force !== true) {
    terminal.warn("Nothing was written. Correct it at the provider, or write it with --force.");
    return 1;
  }
  writeSettings(folder, settings);
  terminal.print(".env.local has the settings of the provider. Start the app again.");
  return 0;
};

function registration(dialect: Dialect, issuer: string, baseURL: string): string {
  const { callback, signedOut } = dialect.fields;
  const lines = [
    `${dialect.name}: ${issuer}`,
    "Register these addresses there, letter by letter:",
    "",
    `${callback}:`,
    `${baseURL}/api/auth/callback`,
  ];
  if (signedOut !== undefined) lines.push(`${signedOut}:`, `${baseURL}/_auth/signed-out`);
  return [
    ...lines,
    "",
    `More: https://latchkey-auth.github.io/latchkey/providers/${dialect.id}`,
  ].join("\n");
}

/** Never from an argument: other users of the machine see those. */
async function readSecret(
  { cwd, input, isInteractive }: Terminal,
  file: string | undefined,
  { clientSecret }: Dialect,
): Promise<string> {
  if (file !== undefined) return readFileSync(resolve(cwd, file), "utf8").trim();
  const secret = isInteractive ? await askSecret(clientSecret) : (await text(input)).trim();
  if (secret !== "") return secret;
  throw new UsageError(
    "The client secret is missing: pass it on standard input, or name a file with --client-secret-file.",
  );
}

async function askSecret(name: string): Promise<string> {
  const { password } = await import("@clack/prompts");
  const answer = await password({ message: `The "${name}" of the client` });
  return typeof answer === "string" ? answer.trim() : "";
}
