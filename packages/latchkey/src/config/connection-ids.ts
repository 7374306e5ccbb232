import type { ConfigFault } from "../errors/config-error.ts";
import { defaultID } from "./constants.ts";

const form = /^[a-z][a-z\d-]{0,62}$/;

/**
 * Returns the fault of an id: it stands in addresses, in variables and in sealed texts.
 *
 * @param others - the ids before it
 */
export function faultOfID(id: string, others: readonly string[]): readonly ConfigFault[] {
  const fault = { option: `connections.${id}`, variable: "LATCHKEY_CONNECTIONS", seen: id };
  const same = others.find((other) => wordOf(other) === wordOf(id));
  if (same !== undefined) {
    const message = `has the id of ${same} but for capital letters or marks`;
    return [{ ...fault, message, remedy: "Choose another id." }];
  }
  if (wordOf(id) === wordOf(defaultID)) {
    const message = "has the id of the connection of the flat settings";
    return [{ ...fault, message, remedy: "Write its settings beside connections." }];
  }
  if (form.test(id)) return [];
  const message = "is no id of a connection";
  const remedy = "Take small letters, digits and hyphens, a letter first and 63 at most.";
  return [{ ...fault, message, remedy }];
}

/** The variable of a connection for a setting, such as `LATCHKEY_CONNECTION_ACME_CLIENT_ID`. */
export function connectionVariable(id: string, variable: string): string {
  return variable.replace(/^LATCHKEY_/, `LATCHKEY_CONNECTION_${wordOf(id)}_`);
}

/** An id as it stands in a variable. */
export function wordOf(id: string): string {
  return id.replaceAll("-", "_").toUpperCase();
}
