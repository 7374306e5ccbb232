import { readFileSync } from "node:fs";

/** Returns the text of a file without its byte order mark; `null` if there is none. */
export function readIfAny(file: string): string | null {
  try {
    return readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  } catch {
    return null;
  }
}
