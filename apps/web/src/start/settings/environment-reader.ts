import type { ConfigFault, Environment } from "latchkey";

/** Reads variables of the environment, and collects the faults of those that cannot be used. */
export interface EnvironmentReader<Variable extends string> {
  readonly faults: readonly ConfigFault[];
  /** Without space around it; `undefined` where nothing is left. */
  text(variable: Variable): string | undefined;
  /**
   * @param parse returns `null` for a text that cannot be used
   * @param needed what the variable must be
   */
  value<T>(variable: Variable, parse: (text: string) => T | null, needed: string): T | undefined;
  port(variable: Variable): number | undefined;
  /** @param seen what was found; never a secret */
  fault(variable: Variable, message: string, seen?: string, remedy?: string): undefined;
}

export function environmentReader<Variable extends string>(
  environment: Environment,
): EnvironmentReader<Variable> {
  const faults: ConfigFault[] = [];
  const reader: EnvironmentReader<Variable> = {
    faults,
    text: (variable) => environment[variable]?.trim() || undefined,
    value(variable, parse, needed) {
      const text = reader.text(variable);
      if (text === undefined) return undefined;
      return parse(text) ?? reader.fault(variable, needed, text);
    },
    port: (variable) => reader.value(variable, portIn, "must be a whole number from 0 to 65535"),
    fault(variable, message, seen, remedy = `Change ${variable}, or leave it out.`) {
      faults.push({ option: variable, variable, message, seen, remedy });
    },
  };
  return reader;
}

function portIn(text: string): number | null {
  const port = Number(text);
  return Number.isInteger(port) && port >= 0 && port < 65_536 ? port : null;
}
