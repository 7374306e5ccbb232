import { isJSONObject } from "../../crypto/json-object.ts";
import type { ConfigFault } from "../../errors/config-error.ts";
import { textOf, wholeOptions } from "../settings-faults.ts";
import { isSecretOption, variableOf } from "../setting-definitions.ts";
import type { ResolvedSettings } from "../settings-schema.ts";

/** What rules may look at beside the settings. */
export interface RuleContext {
  readonly hasStore: boolean;
  /** Whether users sign in; by default they do. */
  readonly hasSessions?: boolean;
  /** Whether connections are looked up, too; by default they are not. */
  readonly hasLookUps?: boolean;
}

type Words = string | ((settings: ResolvedSettings) => string);

/** A rule about one option. */
export interface Rule {
  readonly option: string;
  /** The options it must fit. If one of them is itself faulty, the rule is skipped. */
  readonly others?: readonly string[];
  readonly isBroken: (settings: ResolvedSettings, context: RuleContext) => boolean;
  readonly message: Words;
  readonly remedy: Words;
  /** The value to show, if it is not the value of the option. */
  readonly seen?: Words;
}

/** Returns the faults of settings that break rules. A rule about a faulty option is skipped. */
export function faultsByRules(
  rules: readonly Rule[],
  settings: ResolvedSettings,
  context: RuleContext,
  faulty: readonly string[],
): readonly ConfigFault[] {
  return rules
    .filter(
      ({ option, others = [] }) => ![option, ...others].some((read) => isFaulty(read, faulty)),
    )
    .filter((rule) => rule.isBroken(settings, context))
    .map((rule) => faultOf(rule, settings));
}

/** Whether an option, one of its members, or the group it belongs to has a fault. */
export function isFaulty(read: string, faulty: readonly string[]): boolean {
  return faulty.some((option) => option === wholeOptions || overlaps(option, read));
}

function overlaps(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
}

/** The message about settings that break a rule. */
export function faultOf(
  { option, message, remedy, seen }: Rule,
  settings: ResolvedSettings,
): ConfigFault {
  const words = (text: Words) => (typeof text === "string" ? text : text(settings));
  const value = seen === undefined ? valueOf(option, settings) : words(seen);
  return {
    option,
    variable: variableOf(option),
    message: words(message),
    remedy: words(remedy),
    seen: isSecretOption(option) ? undefined : textOf(value),
  };
}

/** The value at the place of an option, e.g. `session.cookie.path`. */
export function valueOf(option: string, settings: unknown): unknown {
  const valueIn = (group: unknown, name: string) => (isJSONObject(group) ? group[name] : undefined);
  return option.split(".").reduce<unknown>(valueIn, settings);
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
    /^127(\.\d+){3}$/.test(hostname)
  );
}
