import { randomBytes } from "node:crypto";
import { closeSync, existsSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";

import { connectionVariable, wordOf } from "../../config/connection-ids.ts";
import { connectionsVariable, idsIn } from "../../config/connection-variables.ts";
import { appendVariables, setVariable } from "../env/append-variables.ts";
import { envLine } from "../env/env-line.ts";
import { ignoreStep, secretFile } from "../init/settings-steps.ts";
import { type FileChange, writeChanges } from "../init/write-changes.ts";
import { reasonOf, UsageError } from "../command.ts";
import type { ClientSettings } from "./test-client.ts";

export interface WrittenSettings extends ClientSettings {
  /** Further variables that this provider needs. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** Where and with which token the registration can be changed (RFC 7592). */
  readonly managedAt?: string;
  readonly managementToken?: string;
  /** The id of the connection. By default the settings are the flat ones. */
  readonly connection?: string | undefined;
}

/**
 * A client that was registered has its secret nowhere else, so this comes before.
 *
 * @throws {UsageError} if `.env.local` cannot be written
 */
export function assertWritable(folder: string, settings: WrittenSettings): void {
  const file = join(folder, secretFile);
  const isNew = !existsSync(file);
  try {
    closeSync(openSync(file, "a", 0o600));
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${reasonOf(error)}.`, { cause: error });
  }
  if (isNew) rmSync(file);
  const { after, check } = changeOf(readText(folder, secretFile), settings);
  try {
    check(after);
  } catch (error) {
    throw new UsageError(`${file} cannot be changed: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/**
 * Puts the settings of a provider into `.env.local`, which git ignores. Other lines stay, and
 * former values become comments.
 *
 * @returns the names of the variables
 * @throws Error if the file would be read with other values
 */
export function writeSettings(folder: string, settings: WrittenSettings): readonly string[] {
  const read = (path: string) => readText(folder, path);
  const ignored = ignoreStep({ folder, read }).flatMap((step) =>
    step.kind === "change" ? [step.change] : [],
  );
  const before = read(secretFile);
  writeChanges(folder, [...ignored, changeOf(before, settings)]);
  return Object.keys(valuesOf(settings, variablesIn(before ?? "")));
}

function readText(folder: string, path: string): string | null {
  const file = join(folder, path);
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}

type Values = Readonly<Record<string, string>>;

/** @param before - what the file has */
function valuesOf(settings: WrittenSettings, before: Values): Values {
  const values = clientValues(settings);
  const { connection } = settings;
  return connection === undefined ? values : namedFor(connection, values, before);
}

function clientValues(settings: WrittenSettings): Values {
  return {
    LATCHKEY_BASE_URL: settings.baseURLs.join(" "),
    LATCHKEY_ISSUER_BASE_URL: settings.issuerBaseURL,
    LATCHKEY_CLIENT_ID: settings.clientID,
    LATCHKEY_CLIENT_SECRET: settings.clientSecret,
    ...(settings.clientAuthMethod === undefined
      ? {}
      : { LATCHKEY_CLIENT_AUTH_METHOD: settings.clientAuthMethod }),
    ...settings.variables,
    ...(settings.managementToken ? managementOf(settings) : {}),
  };
}

/** The variables of one more connection, beside those that the file has. */
function namedFor(connection: string, values: Values, before: Values): Values {
  const { LATCHKEY_BASE_URL, ...ofClient } = values;
  const named = Object.entries(ofClient).map(([name, value]) => [
    name.startsWith("LATCHKEY_")
      ? connectionVariable(connection, name)
      : `${name}_${wordOf(connection)}`,
    value,
  ]);
  const { ids } = idsIn(before[connectionsVariable] ?? "");
  return {
    ...(LATCHKEY_BASE_URL === undefined ? {} : { LATCHKEY_BASE_URL }),
    [connectionsVariable]: [...new Set([...ids, connection])].join(" "),
    LATCHKEY_IDENTITY: "issuer+sub",
    ...Object.fromEntries(named),
  };
}

/** The change of `.env.local`, with a check of its text by a loader of variables. */
function changeOf(before: string | null, settings: WrittenSettings) {
  const values = valuesOf(settings, variablesIn(before ?? ""));
  const missing = {
    LATCHKEY_SECRET: randomBytes(32).toString("base64"),
  };
  const changed = Object.entries(values).reduce(
    (text, [name, value]) => setVariable(text, name, value),
    before ?? "",
  );
  const added = Object.entries(missing).map(([name, value]) => ({
    name,
    text: envLine(name, value),
  }));
  const after = appendVariables(changed, added);
  const expected = { ...missing, ...variablesIn(before ?? ""), ...values };
  return {
    path: secretFile,
    before,
    after,
    mode: 0o600,
    check: (text: string) => assertReads(text, expected),
  } satisfies FileChange;
}

/** What a quotation mark without its end swallows would be lost, or could set other variables. */
function assertReads(text: string, expected: Values): void {
  const read = variablesIn(text);
  const names = [...Object.keys(expected), ...Object.keys(read)];
  const wrong = names.find((name) => read[name] !== expected[name]);
  if (wrong === undefined) return;
  throw new Error(
    `${wrong} would get another value: correct the quotation marks and line breaks of this file.`,
  );
}

function variablesIn(text: string): Values {
  return parseEnv(text.replace(/^\uFEFF/, "")) as Values;
}

/** For changes of the registration. Latchkey does not read them. */
function managementOf({ managedAt = "", managementToken = "" }: WrittenSettings) {
  return { OIDC_REGISTRATION_URI: managedAt, OIDC_REGISTRATION_TOKEN: managementToken };
}
