import { parseJSON } from "../crypto/json-object.ts";
import type { AccessRequirements } from "./access-rule.ts";
import {
  type ConnectionVariable,
  connectionsVariable,
  idsIn,
  remedyForVariable,
  variablesOf,
} from "./connection-variables.ts";
import { nearestName } from "./nearest-name.ts";
import { remedyForRemoved, removedOptions } from "./removed-settings.ts";
import {
  isSecretOption,
  secretOptions,
  type SettingDefinition,
  settingDefinitions,
  variableOf,
} from "./setting-definitions.ts";
import type { Settings } from "./settings.ts";

/** Variables by their names, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What the environment says: settings for `createAuth`, the address of the store, and what looks
 * like a mistake.
 */
export interface EnvironmentSettings {
  readonly options: Settings & {
    /** `LATCHKEY_ACCESS_RULES`, a JSON object: the requirements for users of a path. */
    readonly accessRules?: Readonly<Record<string, AccessRequirements>>;
  };
  /** `LATCHKEY_STORE`: `memory:`, `sqlite:<file>`, `redis://…` or `rediss://…`. */
  readonly storeURL: string | undefined;
  /** Files with secrets: `LATCHKEY_SECRET_FILE` and the like. */
  readonly secretFiles: readonly SecretPath[];
  /** `LATCHKEY_CONNECTIONS_FILE`: JSON with the settings of further connections. */
  readonly connectionsFile: string | undefined;
  /** A sentence for each unknown `LATCHKEY_` variable, and for each value in quotation marks. */
  readonly warnings: readonly string[];
}

/** A file that holds a secret. */
export interface SecretPath {
  /** The place of the setting, such as `["connections", "acme", "clientSecret"]`. */
  readonly path: readonly string[];
  /** The variable that names the file. */
  readonly variable: string;
  readonly file: string;
}

const prefix = "LATCHKEY_";
const storeVariable = "LATCHKEY_STORE";
export const connectionsFileVariable = "LATCHKEY_CONNECTIONS_FILE";
const accessRulesVariable = "LATCHKEY_ACCESS_RULES";

type Tree = { [name: string]: unknown };

/**
 * Reads the `LATCHKEY_` variables; `NODE_ENV` decides `production` without `LATCHKEY_PRODUCTION`.
 * Values are converted, not checked: `createAuth` reports every fault. An empty variable counts as
 * absent.
 *
 * @param knownVariables - names of further `LATCHKEY_` variables of the app; a `*` at the end of a
 *   name stands for anything
 */
export function optionsFromEnvironment(
  environment: Environment,
  knownVariables: readonly string[] = [],
): EnvironmentSettings {
  const options: Tree = {};
  const production = productionOf(environment);
  if (production !== undefined) options["production"] = production;
  const { ids, warnings } = idsIn(textOf(environment, connectionsVariable) ?? "");
  const ofConnections = variablesOf(ids);
  for (const definition of settingDefinitions) {
    if (definition.variable === connectionsVariable) continue;
    const text = textOf(environment, definition.variable);
    if (text !== undefined) put(options, definition.path, valueOf(definition, text));
  }
  if (ids.length > 0) options["connections"] = Object.fromEntries(ids.map((id) => [id, {}]));
  for (const { id, name, definition } of ofConnections) {
    const text = textOf(environment, name);
    const path = ["connections", id, ...definition.path];
    if (text !== undefined) put(options, path, valueOf(definition, text));
  }
  const rules = textOf(environment, accessRulesVariable);
  // Invalid JSON stays text: createAuth reports it.
  if (rules !== undefined) options["accessRules"] = parseJSON(rules) ?? rules;
  return {
    // What was read may be incomplete or wrong; createAuth checks every value before it is used.
    options: options as unknown as EnvironmentSettings["options"],
    storeURL: textOf(environment, storeVariable),
    secretFiles: secretVariables(ofConnections).flatMap(({ path, name }) => {
      const variable = fileVariable(name);
      const file = textOf(environment, variable);
      return file === undefined ? [] : [{ path, variable, file }];
    }),
    connectionsFile: textOf(environment, connectionsFileVariable),
    warnings: [...warnings, ...warningsFor(environment, { ids, ofConnections, knownVariables })],
  };
}

interface SecretVariable {
  readonly path: readonly string[];
  readonly name: string;
}

/** The variables of secrets. A file may hold each in its place. */
function secretVariables(ofConnections: readonly ConnectionVariable[]): readonly SecretVariable[] {
  return [
    ...secretOptions.map((option) => ({ path: [option], name: variableOf(option) })),
    ...ofConnections
      .filter(({ definition }) => isSecretOption(definition.option))
      .map(({ id, name, definition }) => ({
        path: ["connections", id, ...definition.path],
        name,
      })),
  ];
}

/** e.g. `LATCHKEY_SECRET_FILE`. */
function fileVariable(variable: string): string {
  return `${variable}_FILE`;
}

/** Several secrets or base URLs are separated by spaces or line breaks. */
export function textsIn(text: string): string | readonly string[] {
  const texts = text.split(/\s+/);
  return texts.length === 1 ? text : texts;
}

function productionOf(environment: Environment): boolean | undefined {
  const mode = textOf(environment, "NODE_ENV");
  return mode === "production" || mode === "development" ? mode === "production" : undefined;
}

const notOurs = `Remove it, or give it a name without ${prefix} where your app reads it.`;

/** The names of all variables read here, except `NODE_ENV`. */
export const ownVariables: readonly string[] = [
  ...settingDefinitions.map(({ variable }) => variable),
  ...secretOptions.map((option) => fileVariable(variableOf(option))),
  storeVariable,
  connectionsFileVariable,
  accessRulesVariable,
];

interface KnownNames {
  readonly ids: readonly string[];
  readonly ofConnections: readonly ConnectionVariable[];
  /** Names that the app reads itself; a `*` at the end stands for anything. */
  readonly knownVariables: readonly string[];
}

function warningsFor(environment: Environment, known: KnownNames): readonly string[] {
  const { ids, ofConnections, knownVariables } = known;
  const secrets = secretVariables(ofConnections).map(({ name }) => name);
  const own = [
    ...ownVariables,
    ...ofConnections.map(({ name }) => name),
    ...secrets.slice(secretOptions.length).map(fileVariable),
  ];
  const names = new Set([...own, ...knownVariables.filter((name) => !name.endsWith("*"))]);
  const prefixes = knownVariables
    .filter((name) => name.endsWith("*"))
    .map((name) => name.slice(0, -1));
  const isSet = (name: string) => textOf(environment, name) !== undefined;
  const quoted = own
    .filter((name) => /^(["']).*\1$/s.test(textOf(environment, name) ?? ""))
    .map((name) => `The quotation marks around ${name} are part of its value. Remove them.`);
  const twice = secrets
    .filter((name) => isSet(name) && isSet(fileVariable(name)))
    .map(
      (name) =>
        `${name} and ${fileVariable(name)} are both set, and the file counts. Remove one of them.`,
    );
  const unknown = Object.keys(environment)
    .filter((name) => name.startsWith(prefix) && isSet(name))
    .filter((name) => !names.has(name) && !prefixes.some((start) => name.startsWith(start)))
    .map((name) => unknownVariable(name, ids, [...names]));
  return [...quoted, ...twice, ...unknown];
}

function unknownVariable(name: string, ids: readonly string[], names: readonly string[]): string {
  const removed = removedOptions.find((option) => variableOf(option) === name);
  if (removed !== undefined) return `${name} is no setting any more. ${remedyForRemoved(removed)}`;
  const rests = () => names.map((known) => known.slice(prefix.length));
  const ofConnection = remedyForVariable(name, ids);
  const meant = ofConnection === null ? nearestName(name.slice(prefix.length), rests()) : undefined;
  const remedy =
    ofConnection ?? (meant === undefined ? notOurs : `Did you mean ${prefix}${meant}?`);
  return `${name} is set, but there is no setting of that name. ${remedy}`;
}

function textOf(environment: Environment, name: string): string | undefined {
  const text = environment[name]?.trim();
  return text === "" ? undefined : text;
}

function put(tree: Tree, path: readonly string[], value: unknown): void {
  const [name = "", ...rest] = path;
  if (rest.length === 0) {
    tree[name] = value;
    return;
  }
  const branch = (tree[name] ??= {}) as Tree;
  put(branch, rest, value);
}

function valueOf({ kind }: SettingDefinition, text: string): unknown {
  switch (kind) {
    case "boolean":
      return booleanOf(text);
    case "number":
      return numberOf(text);
    case "list":
      return text.split(/[\s,]+/).filter((item) => item !== "");
    case "texts":
      return textsIn(text);
    case "record":
      return Object.fromEntries(new URLSearchParams(text));
    case "string":
      return text;
  }
}

function booleanOf(text: string): unknown {
  if (/^(?:true|yes|y|on|1)$/i.test(text)) return true;
  return /^(?:false|no|n|off|0)$/i.test(text) ? false : text;
}

function numberOf(text: string): unknown {
  const number = Number(text);
  if (!Number.isNaN(number)) return number;
  return /^(?:false|no|n|off)$/i.test(text) ? false : text;
}
