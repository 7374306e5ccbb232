import { Refusal } from "../errors/refusal.ts";
import type { AuthRequest } from "./auth-request.ts";

/** Returns the query of a request: its target has no fragment behind it. */
export function queryOf({ url }: Pick<AuthRequest, "url">): URLSearchParams {
  const start = url.indexOf("?");
  return new URLSearchParams(start === -1 ? "" : url.slice(start));
}

/** Parameters with one value each (RFC 6749, 3.1), by name. */
export type Parameters = ReadonlyMap<string, string>;

export interface Collected {
  /** The first value of each. */
  readonly parameters: Parameters;
  /** The names of repeated ones. */
  readonly repeated: readonly string[];
}

/** Collects the named parameters and ignores others. The caller decides about repeated ones. */
export function collectParameters(source: URLSearchParams, names: readonly string[]): Collected {
  const parameters = new Map<string, string>();
  const repeated: string[] = [];
  for (const [name, value] of source) {
    if (!names.includes(name)) continue;
    if (parameters.has(name)) repeated.push(name);
    else parameters.set(name, value);
  }
  return { parameters, repeated };
}

/**
 * Reads the named parameters; others are ignored.
 *
 * @throws {Refusal} `parameter_repeated`
 */
export function readParameters(source: URLSearchParams, names: readonly string[]): Parameters {
  const { parameters, repeated } = collectParameters(source, names);
  checkUnrepeated(repeated);
  return parameters;
}

/** @throws {Refusal} `parameter_repeated`, its detail naming the first one */
function checkUnrepeated([name]: readonly string[]): void {
  if (name !== undefined) throw new Refusal("parameter_repeated", { detail: name });
}
