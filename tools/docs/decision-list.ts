/** Writes the table of all decision records into their README. */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const folder = path.join(import.meta.dirname, "../../docs/decisions");
const list = path.join(folder, "README.md");

/**
 * Replaces everything from the first to the last line of tables.
 *
 * @param records - the text of each record by its file
 */
export function withDecisions(page: string, records: ReadonlyMap<string, string>): string {
  const rows = [...records.keys()].toSorted().map((file) => {
    const text = records.get(file) ?? "";
    const [, number, title] = /^# (\d{4}) (.*)$/m.exec(text) ?? [];
    return `| [${number}](${file}) | ${title} |`;
  });
  const table = ["|  |  |", "| - | - |", ...rows, ""].join("\n");
  return page.replace(/^\|[\s\S]*^\|.*\n/m, table);
}

if (import.meta.main) {
  const files = globSync("[0-9]*.md", { cwd: folder });
  const records = new Map(
    files.map((file) => [file, readFileSync(path.join(folder, file), "utf8")]),
  );
  writeFileSync(list, withDecisions(readFileSync(list, "utf8"), records));
}
