import { readFileSync } from "node:fs";
import path from "node:path";

import type { SecretPath } from "../../../config/environment.ts";
import { reasonOf } from "../../command.ts";

/** A file that a variable names, such as `LATCHKEY_SECRET_FILE`. */
export interface SecretFile {
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
 * Reads the files that variables name.
 *
 * @param isElsewhere - whether the settings are for another machine, which may have other files
 */
export function readSecretFiles(
  folder: string,
  named: readonly Pick<SecretPath, "file" | "variable">[],
  isElsewhere: boolean,
): readonly SecretFile[] {
  return named.map(({ variable, file }) => {
    const standIn = standInFor(variable);
    try {
      const text = readFileSync(path.resolve(folder, file), "utf8").trim();
      return text === ""
        ? { variable, file, text: standIn, fault: "is empty" }
        : { variable, file, text, fault: null };
    } catch (error) {
      const fault = isElsewhere ? elsewhere : `cannot be read: ${reasonOf(error)}`;
      return { variable, file, text: standIn, fault };
    }
  });
}

function standInFor(variable: string): string {
  if (variable.endsWith("_SIGNING_KEY_FILE")) return "-----BEGIN PRIVATE KEY-----";
  if (variable === "LATCHKEY_CONNECTIONS_FILE") return "{}";
  return `${variable}-of-a-file-that-cannot-be-read`;
}
