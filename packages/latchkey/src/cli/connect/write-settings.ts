import { randomBytes } from "node:crypto";
import { closeSync, existsSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

import { appendVariables, setVariable } from "../env/append-variables.ts";
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
}

/**
 * A client that was registered has its secret nowhere else, so this comes before.
 *
 * @throws {UsageError} if `.env.local` cannot be written
 */
export function assertWritable(folder: string): void {
  const file = join(folder, secretFile);
  const isNew = !existsSync(file);
  try {
    closeSync(openSync(file, "a", 0o600));
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${reasonOf(error)}.`, { cause: error });
  }
  if (isNew) rmSync(file);
}

/**
 * Puts the settings of a provider into `.env.local`, which git ignores. Other lines stay, and
 * former values become comments.
 *
 * @returns the names of the variables
 */
export function writeSettings(folder: string, settings: WrittenSettings): readonly string[] {
  const read = (path: string) => {
    const file = join(folder, path);
    return existsSync(file) ? readFileSync(file, "utf8") : null;
  };
  const before = read(secretFile);
  const values = {
    LATCHKEY_BASE_URL: settings.baseURL,
    LATCHKEY_ISSUER_BASE_URL: settings.issuerBaseURL,
    LATCHKEY_CLIENT_ID: settings.clientID,
    LATCHKEY_CLIENT_SECRET: settings.clientSecret,
    ...(settings.clientAuthMethod === undefined
      ? {}
      : { LATCHKEY_CLIENT_AUTH_METHOD: settings.clientAuthMethod }),
    ...settings.variables,
    ...(settings.managementToken ? managementOf(settings) : {}),
  };
  let after = before ?? "";
  for (const [name, value] of Object.entries(values)) {
    after = setVariable(after, name, /[#\s"'`]/.test(value) ? quote(value) : value);
  }
  const secret = randomBytes(32).toString("base64");
  after = appendVariables(after, [
    { name: "LATCHKEY_SECRET", text: `LATCHKEY_SECRET=${secret}` },
    { name: "LATCHKEY_SESSION_RENEW_AFTER", text: "LATCHKEY_SESSION_RENEW_AFTER=60" },
  ]);
  const ignored = ignoreStep({ folder, read }).flatMap((step) =>
    step.kind === "change" ? [step.change] : [],
  );
  const change: FileChange = { path: secretFile, before, after, mode: 0o600 };
  writeChanges(folder, [...ignored, change]);
  return Object.keys(values);
}

/** For changes of the registration. Latchkey does not read them. */
function managementOf({ managedAt = "", managementToken = "" }: WrittenSettings) {
  return { OIDC_REGISTRATION_URI: managedAt, OIDC_REGISTRATION_TOKEN: managementToken };
}

function quote(value: string): string {
  return value.includes("'") ? `"${value}"` : `'${value}'`;
}
