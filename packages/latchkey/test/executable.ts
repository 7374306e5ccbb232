import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** The folder that has all of these programs: of the search path, or of those given; `null` where none has. */
export function folderOf(programs: readonly string[], others: readonly string[]): string | null {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), ...others];
  return (
    folders.find((folder) => programs.every((name) => isExecutable(join(folder, name)))) ?? null
  );
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
