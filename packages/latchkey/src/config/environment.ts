import type { Settings } from "./settings.ts";
import { type SettingDefinition, settingDefinitions } from "./setting-definitions.ts";

/** What the environment says: settings for `createAuth`, and the address of the store. */
export interface EnvironmentSettings {
  readonly options: Settings;
  /** `LATCHKEY_STORE`: `memory:`, `sqlite:<file>` or `redis://…`. */
  readonly storeURL: string | undefined;
}

type Tree = { [name: string]: unknown };

/**
 * Reads `LATCHKEY_` variables. Values are taken apart, not judged: `createAuth` reports all faults at once.
 * An empty variable is one that is not set.
 */
export function optionsFromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): EnvironmentSettings {
  const options: Tree = {};
  for (const definition of settingDefinitions) {
    const value = environment[definition.variable]?.trim();
    if (value !== undefined && value !== "")
      put(options, definition.path, valueOf(definition, value));
  }
  // What was read may be incomplete or wrong; createAuth checks every value before it is used.
  return { options: options as unknown as Settings, storeURL: environment["LATCHKEY_STORE"] };
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

function valueOf({ kind }: SettingDefinition, value: string): unknown {
  switch (kind) {
    case "boolean":
      return booleanOf(value);
    case "number":
      return numberOf(value);
    case "list":
      return value.split(/[\s,]+/).filter((item) => item !== "");
    case "secrets":
      return value.includes(" ") ? value.split(/\s+/) : value;
    case "record":
      return Object.fromEntries(new URLSearchParams(value));
    case "string":
      return value;
  }
}

function booleanOf(value: string): unknown {
  if (/^(?:true|yes|y|on|1)$/i.test(value)) return true;
  return /^(?:false|no|n|off|0)$/i.test(value) ? false : value;
}

function numberOf(value: string): unknown {
  const number = Number(value);
  if (!Number.isNaN(number)) return number;
  return /^(?:false|no|n|off)$/i.test(value) ? false : value;
}
