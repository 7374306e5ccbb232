import { parseJSON } from "../crypto/json-object.ts";
import type { AccessRequirements } from "./access-rule.ts";
import { nearestName } from "./nearest-name.ts";
import { remedyForRemoved, removedOptions } from "./removed-settings.ts";
import type { Secrets } from "./parts.ts";
import {
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
  /** Files with secrets, by the setting: `LATCHKEY_SECRET_FILE` and the like. */
  readonly secretFiles: SecretPaths;
  /** A sentence for each unknown `LATCHKEY_` variable, and for each value in quotation marks. */
  readonly warnings: readonly string[];
}

export type SecretPaths = Readonly<Partial<Record<keyof Secrets, string>>>;

const prefix = "LATCHKEY_";
const storeVariable = "LATCHKEY_STORE";
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
  for (const definition of settingDefinitions) {
    const text = textOf(environment, definition.variable);
    if (text !== undefined) put(options, definition.path, valueOf(definition, text));
  }
  const rules = textOf(environment, accessRulesVariable);
  // Invalid JSON stays text: createAuth reports it.
  if (rules !== undefined) options["accessRules"] = parseJSON(rules) ?? rules;
  return {
    // What was read may be incomplete or wrong; createAuth checks every value before it is used.
    options: options as unknown as EnvironmentSettings["options"],
    storeURL: textOf(environment, storeVariable),
    secretFiles: secretFilesIn(environment),
    warnings: warningsFor(environment, knownVariables),
  };
}

function secretFilesIn(environment: Environment): SecretPaths {
  const named = secretOptions.map((option) => [
    option,
    textOf(environment, fileVariableOf(option)),
  ]);
  return Object.fromEntries(named.filter(([, file]) => file !== undefined));
}

/** e.g. `LATCHKEY_SECRET_FILE`. */
export function fileVariableOf(option: keyof Secrets): string {
  return `${variableOf(option)}_FILE`;
}

/** Several secrets are separated by spaces or line breaks. */
export function secretsIn(text: string): string | readonly string[] {
  const secrets = text.split(/\s+/);
  return secrets.length === 1 ? text : secrets;
}

function productionOf(environment: Environment): boolean | undefined {
  const mode = textOf(environment, "NODE_ENV");
  return mode === "production" || mode === "development" ? mode === "production" : undefined;
}

const notOurs = `Remove it, or give it a name without ${prefix} where your app reads it.`;

/** The names of all variables read here, except `NODE_ENV`. */
export const ownVariables: readonly string[] = [
  ...settingDefinitions.map(({ variable }) => variable),
  ...secretOptions.map(fileVariableOf),
  storeVariable,
  accessRulesVariable,
];

function warningsFor(environment: Environment, others: readonly string[]): readonly string[] {
  const names = [...ownVariables, ...others.filter((name) => !name.endsWith("*"))];
  const prefixes = others.filter((name) => name.endsWith("*")).map((name) => name.slice(0, -1));
  const quoted = ownVariables
    .filter((name) => /^(["']).*\1$/s.test(textOf(environment, name) ?? ""))
    .map((name) => `The quotation marks around ${name} are part of its value. Remove them.`);
  const twice = secretOptions
    .filter((option) => textOf(environment, variableOf(option)) !== undefined)
    .filter((option) => textOf(environment, fileVariableOf(option)) !== undefined)
    .map(
      (option) =>
        `${variableOf(option)} and ${fileVariableOf(option)} are both set, and the file counts. Remove one of them.`,
    );
  const unknown = Object.keys(environment)
    .filter((name) => name.startsWith(prefix) && textOf(environment, name) !== undefined)
    .filter((name) => !names.includes(name) && !prefixes.some((start) => name.startsWith(start)))
    .map((name) => {
      const removed = removedOptions.find((option) => variableOf(option) === name);
      if (removed !== undefined)
        return `${name} is no setting any more. ${remedyForRemoved(removed)}`;
      const rests = names.map((known) => known.slice(prefix.length));
      const meant = nearestName(name.slice(prefix.length), rests);
      const remedy = meant === undefined ? notOurs : `Did you mean ${prefix}${meant}?`;
      return `${name} is set, but there is no setting of that name. ${remedy}`;
    });
  return [...quoted, ...twice, ...unknown];
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
    case "secrets":
      return secretsIn(text);
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
