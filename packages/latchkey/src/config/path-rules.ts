import { ConfigError, type ConfigFault } from "../errors/config-error.ts";
import { type AccessRule, isPlain, requirementsOf } from "./access-rule.ts";

/** A rule for a path and everything below it. */
export interface PathRule<Session> {
  /** In lower case, without a slash at its end; empty for every path that needs a sign-in. */
  readonly path: string;
  readonly rule: AccessRule<Session>;
}

/**
 * Reads the rules of the option `accessRules`.
 *
 * @throws {ConfigError} with every fault
 */
export function createPathRules<Session>(
  given: Readonly<Record<string, AccessRule<Session>>> = {},
): readonly PathRule<Session>[] {
  if (!isPlain(given)) throw new ConfigError([faultAt("accessRules", notPlain)]);
  const faults = Object.entries(given).flatMap(([path, rule]) => {
    const message = faultOf(path, rule);
    return message === null ? [] : [faultAt(`accessRules["${path}"]`, message)];
  });
  if (faults.length > 0) throw new ConfigError(faults);
  return Object.entries(given).map(([path, rule]) => ({
    path: path.toLowerCase().replace(/\/+$/, ""),
    rule,
  }));
}

const notPlain = "must be an object of paths and their rules; in the variable, as JSON";

function faultOf(path: string, rule: unknown): string | null {
  if (!/^\/(?!\/)[\w\-./~]*$/.test(path)) return "must be a path of the app";
  if (typeof rule === "function") return null;
  try {
    requirementsOf(rule);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
  }
}

function faultAt(option: string, message: string): ConfigFault {
  return { option, variable: "LATCHKEY_ACCESS_RULES", message, remedy: "Change this rule." };
}

/** Whether a rule closes a path that would be public: one for the whole app closes none. */
export function closes({ path }: PathRule<never>): boolean {
  return path !== "";
}
