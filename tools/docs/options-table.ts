import { readFileSync, writeFileSync } from "node:fs";
import {
  type SettingDefinition,
  settingDefinitions,
} from "../../packages/latchkey/src/config/setting-definitions.ts";
import { settingComments } from "./setting-comments.ts";
import { faultsByVariable, faultsOfForm } from "./setting-faults.ts";
import { exampleOf, settingGroups } from "./setting-groups.ts";

const file = new URL("../../docs/options.md", import.meta.url);
const settings = ["cookie-settings", "session-settings", "connection-options", "settings"].map(
  (name) => new URL(`../../packages/latchkey/src/config/${name}.ts`, import.meta.url),
);

/** What follows this line is made; what stands before is written by hand. */
const marker =
  "The rest of this page is made by `npm run docs` from the comments of the settings, their schema and\ntheir rules; do not edit it by hand. In code an option has the name of its heading, in the environment\nthe name in its example.\n";

/** A setting on the page. */
interface Entry {
  readonly option: string;
  readonly example: string;
  readonly standard: string;
  readonly purpose: string;
  /** What is said of an invalid value, with the remedy. */
  readonly errors: readonly string[];
}

const faults = faultsByVariable();

/** What has no schema of its own. */
const more: readonly Entry[] = [
  {
    option: "store",
    example: "LATCHKEY_STORE=sqlite:data/latchkey.db",
    standard: "none",
    purpose:
      "Remembers ended sessions, and holds sessions if they are stateful: `memory:`, `sqlite:<file>`, `redis://…`, `redis+cluster://…` or `redis+sentinel://…` (`rediss` over TLS), `postgres://…`. In code, a store object.",
    errors: faults.get("LATCHKEY_STORE") ?? [],
  },
  {
    option: "connections in a file",
    example: "LATCHKEY_CONNECTIONS_FILE=/etc/app/connections.json",
    standard: "none",
    purpose:
      'A file with the same object as JSON, which is read again while the app runs: `{ "acme": { "issuerBaseURL": … } }`. A variable of a connection, such as `LATCHKEY_CONNECTION_ACME_CLIENT_SECRET_FILE`, comes before the file if `LATCHKEY_CONNECTIONS` has its id.',
    errors: [],
  },
  {
    option: "accessRules",
    example: `LATCHKEY_ACCESS_RULES='{ "/admin": { "claim": { "role": "admin" } } }'`,
    standard: "none",
    purpose:
      "What must hold of the users who open a path or anything below it: an object, in the variable as JSON. In code, a rule may be a function.",
    errors: faults.get("LATCHKEY_ACCESS_RULES") ?? [],
  },
];

/**
 * Returns the page with every setting, and what is said of invalid ones.
 *
 * @param written - the page as it is, whose beginning stays
 */
export function optionsPage(written: string): string {
  const [head = ""] = written.split(marker);
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
  return [head + marker, ...sections, faultsSection()].join("\n");
}

function faultsSection(): string {
  const known = new Set([
    ...settingDefinitions.map(({ variable }) => variable),
    "LATCHKEY_STORE",
    "LATCHKEY_ACCESS_RULES",
  ]);
  const others = [...faults].filter(([name]) => !known.has(name));
  const items = [
    "is required: `LATCHKEY_SECRET`, `LATCHKEY_BASE_URL`, `LATCHKEY_ISSUER_BASE_URL` and\n  `LATCHKEY_CLIENT_ID` always are",
    "is not an option",
    ...faultsOfForm(),
    ...others.flatMap(([name, each]) => each.map((fault) => `\`${name}\` ${fault}`)),
  ];
  return `## Errors of settings

What is said of a value in the wrong form, whichever setting it is:

${listOf(items)}
`;
}

function entryOf(definition: SettingDefinition, purpose: string): Entry {
  const { option, variable, required, defaultValue } = definition;
  const example = `${variable}=${exampleOf(definition)}`;
  return {
    option,
    example,
    standard: required ? "none: it is required" : textOf(defaultValue),
    purpose,
    errors: faults.get(variable) ?? [],
  };
}

function sectionOf({ option, example, standard, purpose, errors }: Entry): string {
  return `### \`${option}\`

${purpose}

- Default: ${standard}
- Example: \`${example}\`
${errors.length === 0 ? "" : `\nIts errors, with the remedy:\n\n${listOf(errors)}\n`}`;
}

function listOf(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join("\n");
}

function textOf(defaultValue: unknown): string {
  if (Array.isArray(defaultValue) && defaultValue.length > 0)
    return `\`${defaultValue.join(" ")}\``;
  const isText = defaultValue !== undefined && typeof defaultValue !== "object";
  return isText ? `\`${JSON.stringify(defaultValue)}\`` : "none";
}

if (import.meta.main) writeFileSync(file, optionsPage(readFileSync(file, "utf8")));
