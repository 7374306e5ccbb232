import { readFileSync } from "node:fs";
import path from "node:path";

import { fileVariableOf, type SecretPaths } from "../../../config/environment.ts";
import type { Secrets } from "../../../config/parts.ts";
import { reasonOf } from "../../command.ts";

/** A file with a secret, named by a variable such as `LATCHKEY_SECRET_FILE`. */
export interface SecretFile {
  readonly option: keyof Secrets;
  readonly variable: string;
  readonly file: string;
  /** What it holds; if it cannot be read, a text in its place, so that nothing seems missing. */
  readonly text: string;
  /** Why it cannot be used, as the end of a sentence; `null` if it can. */
  readonly fault: string | null;
}

/** The fault of a file that the deployment brings, and that is not here. */
export const elsewhere = "is not on this machine";

/**
 * Reads the files with secrets.
 *
 * @param isElsewhere - whether the settings are for another machine, which may have other files
 */
export function readSecretFiles(
  folder: string,
  paths: SecretPaths,
  isElsewhere: boolean,
): readonly SecretFile[] {
  return (Object.entries(paths) as [keyof Secrets, string][]).map(([option, file]) => {
    const named = { option, variable: fileVariableOf(option), file };
    const standIn =
      option === "clientAssertionSigningKey"
        ? "-----BEGIN PRIVATE KEY-----"
        : `${option}-of-a-file-that-cannot-be-read`;
    try {
      const text = readFileSync(path.resolve(folder, file), "utf8").trim();
      return text === ""
        ? { ...named, text: standIn, fault: "is empty" }
        : { ...named, text, fault: null };
    } catch (error) {
      const fault = isElsewhere ? elsewhere : `cannot be read: ${reasonOf(error)}`;
      return { ...named, text: standIn, fault };
    }
  });
}
