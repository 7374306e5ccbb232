import { readFileSync, writeFileSync } from "node:fs";
import { settingDefinitions } from "../../packages/latchkey/src/config/setting-definitions.ts";
import { settingComments } from "./setting-comments.ts";

const file = new URL("../../docs/options.md", import.meta.url);
const settings = new URL("../../packages/latchkey/src/config/settings.ts", import.meta.url);

const intro = `# Settings

Made by \`npm run docs\` from the comments of the settings and from their schema; do not edit it by hand. In code an option has the name
in the first column, in the environment the one in the second. In the environment a list is separated by commas or spaces, several
secrets by spaces, and parameters are written like a query: \`audience=https://api.example&prompt=login\`.

On Node, \`LATCHKEY_SECRET_FILE\`, \`LATCHKEY_CLIENT_SECRET_FILE\` and \`LATCHKEY_CLIENT_ASSERTION_SIGNING_KEY_FILE\` name files that hold
the value instead. They are read again every few seconds: what holds is in force within half a minute, without a restart; what does not hold
changes nothing, and the log says so.

`;

/** What else the environment can set: a store is opened, not validated as a value. */
const storeRow =
  "| `store` | `LATCHKEY_STORE` | none | Remembers ended sessions, and holds sessions where they are stateful: `memory:`, `sqlite:<file>`, `redis://…`, `redis+cluster://…` or `redis+sentinel://…` (`rediss` over TLS), `postgres://…`. In code, a store object. |";

/** Access rules have a check of their own, which distinguishes functions from data. */
const accessRulesRow =
  '| `accessRules` | `LATCHKEY_ACCESS_RULES` | none | What must hold of the people who open a path or anything below it: an object, in the variable as JSON, e.g. `{ "/admin": { "claim": { "role": "admin" } } }`. In code, a rule may be a function. |';

/** The page with every setting. */
export function optionsPage(): string {
  const comments = settingComments(readFileSync(settings, "utf8"));
  const rows = settingDefinitions.map(({ option, variable, required, defaultValue }) => {
    const purpose = comments.get(option)?.text.replaceAll("|", "\\|");
    const standard = required ? "**required**" : cellOf(defaultValue);
    return `| \`${option}\` | \`${variable}\` | ${standard} | ${purpose} |`;
  });
  const head = "| option | variable | default | |\n|---|---|---|---|";
  return `${intro}${[head, ...rows, storeRow, accessRulesRow].join("\n")}\n`;
}

function cellOf(defaultValue: unknown): string {
  if (Array.isArray(defaultValue) && defaultValue.length > 0)
    return `\`${defaultValue.join(" ")}\``;
  const isText = defaultValue !== undefined && typeof defaultValue !== "object";
  return isText ? `\`${JSON.stringify(defaultValue)}\`` : "none";
}

if (import.meta.main) writeFileSync(file, optionsPage());
