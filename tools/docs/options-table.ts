import { readFileSync, writeFileSync } from "node:fs";
import {
  type SettingDefinition,
  settingDefinitions,
} from "../../packages/latchkey/src/config/setting-definitions.ts";
import { settingComments } from "./setting-comments.ts";
import { exampleOf, settingGroups } from "./setting-groups.ts";

const file = new URL("../../docs/options.md", import.meta.url);
const settings = ["cookie-settings", "settings"].map(
  (name) => new URL(`../../packages/latchkey/src/config/${name}.ts`, import.meta.url),
);

const intro = `# Settings

Made by \`npm run docs\` from the comments of the settings and from their schema; do not edit it by hand.

In code an option has the name of its heading, in the environment the name in its example. In the
environment a list is separated by commas or spaces, several secrets by spaces, and parameters are
written like a query: \`audience=https://api.example&prompt=login\`. [Errors of settings](reference/setting-errors.md)
has what is said of invalid ones.

On Node, \`LATCHKEY_SECRET_FILE\`, \`LATCHKEY_CLIENT_SECRET_FILE\` and
\`LATCHKEY_CLIENT_ASSERTION_SIGNING_KEY_FILE\` name files that hold the value instead. They are read
again every few seconds: a valid value takes effect within half a minute, without a restart. An
invalid one changes nothing, and the log says so.
`;

/** A setting on the page. */
interface Entry {
  readonly option: string;
  readonly example: string;
  readonly standard: string;
  readonly purpose: string;
}

/** What has no schema of its own. */
const more: readonly Entry[] = [
  {
    option: "store",
    example: "LATCHKEY_STORE=sqlite:data/latchkey.db",
    standard: "none",
    purpose:
      "Remembers ended sessions, and holds sessions if they are stateful: `memory:`, `sqlite:<file>`, `redis://…`, `redis+cluster://…` or `redis+sentinel://…` (`rediss` over TLS), `postgres://…`. In code, a store object.",
  },
  {
    option: "accessRules",
    example: `LATCHKEY_ACCESS_RULES='{ "/admin": { "claim": { "role": "admin" } } }'`,
    standard: "none",
    purpose:
      "What must hold of the users who open a path or anything below it: an object, in the variable as JSON. In code, a rule may be a function.",
  },
];

/** The page with every setting. */
export function optionsPage(): string {
  const comments = settingComments(
    settings.map((source) => readFileSync(source, "utf8")).join("\n"),
  );
  let entries = [
    ...settingDefinitions.map((each) => entryOf(each, comments.get(each.option)?.text ?? "")),
    ...more,
  ];
  const sections = settingGroups.map(({ title, takes }) => {
    const { taken = [], left = [] } = Object.groupBy(entries, ({ option }) =>
      takes(option) ? "taken" : "left",
    );
    entries = left;
    return [`## ${title}\n`, ...taken.map(sectionOf)].join("\n");
  });
  return [intro, ...sections].join("\n");
}

function entryOf(definition: SettingDefinition, purpose: string): Entry {
  const { option, variable, required, defaultValue } = definition;
  const example = `${variable}=${exampleOf(definition)}`;
  return {
    option,
    example,
    standard: required ? "none: it is required" : textOf(defaultValue),
    purpose,
  };
}

function sectionOf({ option, example, standard, purpose }: Entry): string {
  return `### \`${option}\`

${purpose}

- Default: ${standard}
- Example: \`${example}\`
`;
}

function textOf(defaultValue: unknown): string {
  if (Array.isArray(defaultValue) && defaultValue.length > 0)
    return `\`${defaultValue.join(" ")}\``;
  const isText = defaultValue !== undefined && typeof defaultValue !== "object";
  return isText ? `\`${JSON.stringify(defaultValue)}\`` : "none";
}

if (import.meta.main) writeFileSync(file, optionsPage());
