import { Refusal } from "../errors/refusal.ts";

/** Parameters that appear at most once each (RFC 6749, 3.1), by name. */
export type Parameters = ReadonlyMap<string, string>;

/**
 * Reads the named parameters; others are ignored.
 *
 * @throws {Refusal} `parameter_repeated`
 */
export function readParameters(source: URLSearchParams, names: readonly string[]): Parameters {
  const parameters = new Map<string, string>();
  for (const [name, value] of source) {
    if (!names.includes(name)) continue;
    if (parameters.has(name)) throw new Refusal("parameter_repeated", { detail: name });
    parameters.set(name, value);
  }
  return parameters;
}
