import type { ConfigFault } from "../errors/config-error.ts";
import { connectionIDForm, defaultID } from "./constants.ts";
import { connectionDefinitions } from "./setting-definitions.ts";

/** Returns the faults of ids: they stand in addresses, in variables and in sealed texts. */
export function faultsOfIDs(ids: readonly string[]): readonly ConfigFault[] {
  const byWord = new Map<string, string>([[wordOf(defaultID), defaultID]]);
  const all = new Set(ids.map(wordOf));
  return ids.flatMap((id) => {
    const found = faultOfID(id, byWord) ?? ambiguity(id, all);
    byWord.set(wordOf(id), byWord.get(wordOf(id)) ?? id);
    const fault = { option: `connections.${id}`, variable: "LATCHKEY_CONNECTIONS", seen: id };
    return found === null ? [] : [{ ...fault, ...found }];
  });
}

/** @param byWord - the ids before it, as they stand in variables */
function faultOfID(
  id: string,
  byWord: ReadonlyMap<string, string>,
): Pick<ConfigFault, "message" | "remedy"> | null {
  const same = byWord.get(wordOf(id));
  if (same === defaultID) {
    const message = "has the id of the connection of the flat settings";
    return { message, remedy: "Write its settings beside connections." };
  }
  if (same !== undefined) {
    const message = `has the id of ${same} but for capital letters or marks`;
    return { message, remedy: "Choose another id." };
  }
  if (connectionIDForm.test(id)) return null;
  const message = "is no id of a connection";
  const remedy = "Take small letters, digits and hyphens, a letter first and 63 at most.";
  return { message, remedy };
}

/** A variable that two connections would read: `…_ACME_REFETCH_USERINFO`. */
function ambiguity(
  id: string,
  all: ReadonlySet<string>,
): Pick<ConfigFault, "message" | "remedy"> | null {
  const word = wordOf(id);
  const rest = ambiguousEnds.find((end) => word.endsWith(`_${end}`));
  if (rest === undefined || !all.has(word.slice(0, -rest.length - 1))) return null;
  const other = word.slice(0, -rest.length - 1);
  const message = `has variables in common with another one, LATCHKEY_CONNECTION_${other}_${rest}_…`;
  return { message, remedy: "Choose another id." };
}

const variables = new Set(connectionDefinitions.map(({ variable }) => variable));
const words = [...variables].map((variable) => variable.slice("LATCHKEY_".length));

/** What stands before the name of a setting and makes another setting of it. */
const ambiguousEnds = words.flatMap((word) =>
  words
    .filter((other) => word.endsWith(`_${other}`))
    .map((other) => word.slice(0, -other.length - 1)),
);

/** The variable of a connection for a setting, such as `LATCHKEY_CONNECTION_ACME_CLIENT_ID`. */
export function connectionVariable(id: string, variable: string): string {
  if (id === defaultID) return variable;
  return variable.replace(/^LATCHKEY_/, `LATCHKEY_CONNECTION_${wordOf(id)}_`);
}

/** Returns a text in which each variable of a connection is that of this one. */
export function inWordsOf(id: string, text: string): string {
  if (id === defaultID) return text;
  return text.replaceAll(/\bLATCHKEY_[A-Z_]+/g, (variable) =>
    variables.has(variable) ? connectionVariable(id, variable) : variable,
  );
}

/** An id as it stands in a variable. */
export function wordOf(id: string): string {
  return id.replaceAll("-", "_").toUpperCase();
}
