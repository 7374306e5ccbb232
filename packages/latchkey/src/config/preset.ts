import { isJSONObject } from "../crypto/json-object.ts";
import type { AccessRequirements } from "./access-rule.ts";
import { connectionVariable } from "./connection-ids.ts";
import { hasPrefix } from "./rules/cookie-rules.ts";
import { isHttps, valueOf } from "./rules/rule.ts";
import { variableOf } from "./setting-definitions.ts";
import { connectionEntries, type ResolvedSettings } from "./settings-schema.ts";

/** One setting for which the preset `hardened` has another default. */
export interface Hardening {
  readonly option: string;
  /** The default; without one, the preset changes what an absent value means. */
  readonly value?: string | number | boolean;
  /** What it means then, in a few words. */
  readonly meaning?: string;
  /** The requirement of ASVS 5.0. */
  readonly asvs: string;
  /** What is so then. */
  readonly says: string;
  /** Whether the default fits other settings of the app. Default: always. */
  readonly fits?: (settings: unknown) => boolean;
  /** Development over http goes without. */
  readonly onlyOverHttps?: true;
  /** Whether the settings are as strict as the default. */
  readonly isKept: (settings: ResolvedSettings) => boolean;
}

const halfAnHour = 1800;
const halfADay = 43_200;
const recentSeconds = 300;

const devicesRule: Hardening = {
  option: "accessRules",
  meaning: "300 s for devices",
  asvs: "7.5.2",
  says: "the page of devices wants a sign-in of the last five minutes",
  isKept: () => true,
};

/** The consequences of the preset `hardened`. */
export const hardened: readonly Hardening[] = [
  {
    option: "session.name",
    value: "__Host-appSession",
    asvs: "3.3.3",
    says: "no other host of the domain can set the session cookie",
    fits: isForOneHost,
    onlyOverHttps: true,
    isKept: ({ session }) => hasPrefix(session.name, "__Host-"),
  },
  {
    option: "session.rollingDuration",
    value: halfAnHour,
    asvs: "7.3.1",
    says: "a session ends after half an hour without use",
    fits: (settings) => valueOf("session.rolling", settings) !== false,
    isKept: ({ session }) => session.rolling && isAtMost(session.rollingDuration, halfAnHour),
  },
  {
    option: "session.absoluteDuration",
    value: halfADay,
    asvs: "7.3.2",
    says: "a session ends after twelve hours",
    isKept: ({ session }) => isAtMost(session.absoluteDuration, halfADay),
  },
  {
    option: "session.stateful",
    value: true,
    asvs: "7.4.1",
    says: "a session is in the store, so its end is that of every copy",
    isKept: ({ session }) => session.stateful === true,
  },
  {
    option: "session.deviceBound",
    value: "observe",
    asvs: "10.3.5",
    says: "the use of a session on another device is noticed",
    fits: isForOneHost,
    onlyOverHttps: true,
    isKept: ({ session }) => session.deviceBound !== "off",
  },
  {
    option: "clientAuthMethod",
    value: "private_key_jwt",
    asvs: "10.4.16",
    says: "the app authenticates at the provider with a key, which it sends nowhere",
    isKept: ({ clientAuthMethod }) => clientAuthMethod === "private_key_jwt",
  },
  {
    option: "pushedAuthorizationRequests",
    meaning: "if offered",
    asvs: "10.4.13",
    says: "authorization requests are pushed if the provider offers it",
    isKept: ({ pushedAuthorizationRequests }) => pushedAuthorizationRequests !== false,
  },
  devicesRule,
  {
    option: "preset",
    meaning: "COOP",
    asvs: "3.4.8",
    says: "pages of sign-in share no window with pages of other sites",
    isKept: () => true,
  },
  {
    option: "preset",
    meaning: "CORP",
    asvs: "3.5.8",
    says: "no page of another site embeds pages of sign-in",
    isKept: () => true,
  },
];

/**
 * The access rules of the preset. A rule of the app for the same path takes its place.
 *
 * @param root - of pages
 */
export function hardenedRules(
  preset: ResolvedSettings["preset"],
  root: string,
): Readonly<Record<string, AccessRequirements>> {
  return preset === undefined ? {} : { [`${root}/devices`]: { maxAge: recentSeconds } };
}

/** What rules of the app relax of those of its preset, each in a sentence. */
export function relaxedRulesIn(
  { preset, pagesPrefix }: { readonly pagesPrefix: string } & Pick<ResolvedSettings, "preset">,
  rules: Readonly<Record<string, unknown>> = {},
): readonly string[] {
  const { asvs, says } = devicesRule;
  return Object.keys(hardenedRules(preset, pagesPrefix))
    .filter((path) => rules[path] !== undefined)
    .filter((path) => !isAtMost(maxAgeOf(rules[path]), recentSeconds))
    .map(
      (path) =>
        `The preset hardened is relaxed by the access rule for ${path} (ASVS ${asvs}). By default ${says}.`,
    );
}

function maxAgeOf(rule: unknown): number | undefined {
  const seconds = isJSONObject(rule) ? rule["maxAge"] : undefined;
  return typeof seconds === "number" ? seconds : undefined;
}

function isAtMost(seconds: number | false | undefined, most: number): boolean {
  return typeof seconds === "number" && seconds <= most;
}

/** What browsers want of a cookie with the prefix `__Host-` (RFC 6265bis, section 4.1.3.2). */
function isForOneHost(settings: unknown): boolean {
  const baseURL = valueOf("baseURL", settings);
  const isSecure = typeof baseURL === "string" && URL.canParse(baseURL) && isHttps(baseURL);
  const hasDomain = valueOf("session.cookie.domain", settings) !== undefined;
  return isSecure && !hasDomain && (valueOf("session.cookie.path", settings) ?? "/") === "/";
}

/** The settings with the defaults of their preset, if they name one. */
export function withPreset(settings: unknown): unknown {
  if (!isJSONObject(settings) || settings["preset"] !== "hardened") return settings;
  return hardened
    .filter(({ option }) => valueOf(option, settings) === undefined)
    .filter(({ value, fits }) => value !== undefined && (fits?.(settings) ?? true))
    .reduce<unknown>((all, { option, value }) => put(all, option.split("."), value), settings);
}

/** Whether each connection has this setting of its own. */
function isOfClient(option: string): boolean {
  return Object.hasOwn(connectionEntries, option);
}

/** The defaults of a preset for the client of one more connection. */
export function hardenedClient(
  preset: ResolvedSettings["preset"],
): Readonly<Record<string, unknown>> {
  const ofClient =
    preset === undefined
      ? []
      : hardened.filter(({ option, value }) => value !== undefined && isOfClient(option));
  return Object.fromEntries(ofClient.map(({ option, value }) => [option, value]));
}

/** Whatever is no group stays as it is: the check of the settings names it. */
function put(group: unknown, [name = "", ...rest]: readonly string[], value: unknown): unknown {
  if (group !== undefined && !isJSONObject(group)) return group;
  return { ...group, [name]: rest.length === 0 ? value : put(group?.[name], rest, value) };
}

/** The settings of the client of one more connection. */
interface Client extends Pick<
  ResolvedSettings,
  "clientAuthMethod" | "pushedAuthorizationRequests"
> {
  readonly id: string;
  /** The connection whose client it is. */
  readonly uses: string;
}

/** The consequences of the preset that the settings have relaxed, each in a sentence. */
export function relaxationsIn(
  settings: ResolvedSettings,
  clients: readonly Client[],
): readonly string[] {
  if (settings.preset === undefined) return [];
  const ofClients = clients
    .filter(({ id, uses }) => id === uses)
    .flatMap(({ id, clientAuthMethod, pushedAuthorizationRequests }) =>
      findRelaxed({ ...settings, clientAuthMethod, pushedAuthorizationRequests })
        .filter(({ option }) => isOfClient(option))
        .map((each) => sentenceOf(each, connectionVariable(id, variableOf(each.option)))),
    );
  const ofApp = findRelaxed(settings).map((each) => sentenceOf(each, variableOf(each.option)));
  return [...ofApp, ...ofClients];
}

function findRelaxed(settings: ResolvedSettings): readonly Hardening[] {
  return hardened
    .filter(({ onlyOverHttps }) => onlyOverHttps === undefined || isHttps(settings.baseURL))
    .filter(({ isKept }) => !isKept(settings));
}

function sentenceOf({ asvs, says }: Hardening, variable: string): string {
  return `The preset hardened is relaxed by ${variable} (ASVS ${asvs}). By default ${says}.`;
}
