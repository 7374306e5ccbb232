import { connectionVariable, wordOf } from "./connection-ids.ts";
import { nearestName } from "./nearest-name.ts";
import { connectionDefinitions, type SettingDefinition } from "./setting-definitions.ts";

/** The variable with the ids of the connections. */
export const connectionsVariable = "LATCHKEY_CONNECTIONS";
const variablePrefix = "LATCHKEY_CONNECTION_";

/** A setting of one connection as a variable. */
export interface ConnectionVariable {
  readonly id: string;
  readonly name: string;
  readonly definition: SettingDefinition;
}

/** Returns the variable of each setting of each connection. */
export function variablesOf(ids: readonly string[]): readonly ConnectionVariable[] {
  return ids.flatMap((id) =>
    connectionDefinitions.map((definition) => ({
      id,
      name: connectionVariable(id, definition.variable),
      definition,
    })),
  );
}

/** Returns the ids in the text of the variable, and what looks like a mistake there. */
export function idsIn(text: string): {
  readonly ids: readonly string[];
  readonly warnings: readonly string[];
} {
  const named = text.split(/[\s,]+/).filter((id) => id !== "");
  const ids = [...new Set(named)];
  const twice = ids.filter((id) => named.indexOf(id) !== named.lastIndexOf(id));
  return {
    ids,
    warnings: twice.map((id) => `${connectionsVariable} has ${id} twice. Remove one of them.`),
  };
}

/** Returns what to do about a variable of no known connection or setting; `null` for others. */
export function remedyForVariable(name: string, ids: readonly string[]): string | null {
  if (!name.startsWith(variablePrefix)) return null;
  const rest = name.slice(variablePrefix.length);
  const id = ids.find((each) => rest.startsWith(`${wordOf(each)}_`));
  if (id !== undefined) return remedyForSetting(id, rest.slice(wordOf(id).length + 1));
  const setting = words.find((word) => rest.endsWith(`_${word}`));
  if (setting === undefined) return null;
  const meant = rest.slice(0, -setting.length - 1);
  const near = nearestName(meant, ids.map(wordOf));
  return near === undefined
    ? `Add ${meant.toLowerCase().replaceAll("_", "-")} to ${connectionsVariable}, or remove it.`
    : `Did you mean ${variablePrefix}${near}_${setting}?`;
}

/** The settings of a connection as they end a variable, the longest first. */
const words = connectionDefinitions
  .map(({ variable }) => variable.slice("LATCHKEY_".length))
  .toSorted((one, other) => other.length - one.length);

function remedyForSetting(id: string, setting: string): string | null {
  const meant = nearestName(setting, words);
  return meant === undefined ? null : `Did you mean ${variablePrefix}${wordOf(id)}_${meant}?`;
}
