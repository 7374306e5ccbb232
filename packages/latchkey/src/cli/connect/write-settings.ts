import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { appendVariables, setVariable } from "../env/append-variables.ts";
import { ignoreStep, secretFile } from "../init/settings-steps.ts";
import { type FileChange, writeChanges } from "../init/write-changes.ts";
import type { ClientSettings } from "./test-client.ts";

/** Puts the settings of a provider into `.env.local`, which git ignores. Other lines stay. */
export function writeSettings(folder: string, settings: ClientSettings): void {
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
  };
  let after = before ?? "";
  for (const [name, value] of Object.entries(values)) {
    after = setVariable(after, name, /[#\s"'`]/.test(value) ? quoted(value) : value);
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
}

function quoted(value: string): string {
  return value.includes("'") ? `"${value}"` : `'${value}'`;
}
