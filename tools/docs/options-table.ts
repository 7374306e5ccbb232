import { writeFile } from "node:fs/promises";
import { settingRows, type SettingRow } from "latchkey";

const file = new URL("../../docs/options.md", import.meta.url);

const intro = `# Settings

Made from the schema of the settings by \`npm run docs\`; do not edit by hand. In code an option is written as in the first column, in the
environment as in the second. Durations are seconds unless the text says otherwise.

`;

/** What else can be set by the environment: the store is opened, not validated as a value. */
const storeRow =
  "| `store` | `LATCHKEY_STORE` | none | Remembers ended sessions, and holds sessions where they are stateful: `memory:`, `sqlite:<file>`, `redis://…`. In code, a store object. |";

/** The page that lists every setting. */
export function optionsPage(rows: readonly SettingRow[] = settingRows): string {
  const lines = rows.map(
    ({ option, variable, purpose, ...row }) =>
      `| \`${option}\` | \`${variable}\` | ${fallbackOf(row)} | ${purpose.replaceAll("|", "\\|")} |`,
  );
  const head = "| option | variable | default | |\n|---|---|---|---|";
  return `${intro}${[head, ...lines, storeRow].join("\n")}\n`;
}

function fallbackOf({ required, fallback }: Pick<SettingRow, "required" | "fallback">): string {
  if (required) return "**required**";
  if (fallback === undefined) return "none";
  if (Array.isArray(fallback)) return fallback.length === 0 ? "none" : `\`${fallback.join(" ")}\``;
  return typeof fallback === "object" ? "none" : `\`${JSON.stringify(fallback)}\``;
}

if (import.meta.main) await writeFile(file, optionsPage());
