import type { ConfigFault } from "../../errors/config-error.ts";
import type { ResolvedSettings } from "../settings-schema.ts";
import { variableOf } from "../setting-definitions.ts";

/** What rules over several settings may look at, beside the settings themselves. */
export interface RuleContext {
  readonly hasStore: boolean;
}

export type Rule = (settings: ResolvedSettings, context: RuleContext) => ConfigFault | null;

/** What a rule reports; `seen` is never given for a secret. */
export function fault(
  option: string,
  message: string,
  remedy: string,
  seen?: string | boolean | number,
): ConfigFault {
  const variable = variableOf(option);
  return { option, variable, message, remedy, seen: seen?.toString() };
}

export function isHttps(url: string): boolean {
  return new URL(url).protocol === "https:";
}

/** Whether an address is on this machine. Plain http to it never leaves the machine. */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
}

/**
 * A rule, and the options that it looks at: where one of them is faulty itself, the rule has
 * nothing to say.
 */
export interface RuleOver {
  readonly reads: readonly string[];
  readonly rule: Rule;
}
