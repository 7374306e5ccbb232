import { readFileSync } from "node:fs";

import { type ConfigFault, type Environment, optionsFromEnvironment } from "latchkey";
import * as v from "valibot";

import { checkRules, type HostRules } from "../../check/check-rules.ts";
import type { CheckSettings as Answers } from "../../check/create-check.ts";
import { type Preset, presets } from "../../check/identity-headers.ts";
import { faultOf, port, readVariables, text } from "./variables.ts";

const presetNames = Object.keys(presets) as Preset[];
const isTrue = /^(?:true|yes|y|on|1)$/i;

/** The schema of each variable about the check. */
export const checkVariables = {
  LATCHKEY_CHECK_PORT: port,
  LATCHKEY_CHECK_RULES: text,
  LATCHKEY_CHECK_HEADERS: v.picklist(presetNames, `must be one of ${presetNames.join(", ")}`),
  LATCHKEY_CHECK_USER_CLAIM: text,
  LATCHKEY_CHECK_NAME_CLAIM: text,
  LATCHKEY_CHECK_GROUPS_CLAIM: text,
  LATCHKEY_CHECK_ACCESS_TOKEN: text,
  LATCHKEY_CHECK_AUDIENCE: text,
};

/** The check for proxies in front of other applications. */
export interface CheckSettings extends Answers {
  readonly port: number;
  /** The origins of its hosts, to which a sign-in may return. */
  readonly origins: readonly string[];
}

/** What the check is read beside. */
interface Beside {
  readonly baseURL: string;
  /** Ports that something else listens on. */
  readonly ports: readonly (number | undefined)[];
}

/**
 * Never throws: its faults are reported together with those of the other settings. `check` is
 * `undefined` without a port.
 */
export function readCheck(
  environment: Environment,
  { baseURL, ports }: Beside,
): { readonly check: CheckSettings | undefined; readonly faults: readonly ConfigFault[] } {
  const { values, faults } = readVariables(environment, checkVariables);
  const { LATCHKEY_CHECK_PORT: ownPort, LATCHKEY_CHECK_RULES: given } = values;
  const preset = values.LATCHKEY_CHECK_HEADERS ?? "latchkey";
  const isAny = Object.values(values).some((value) => value !== undefined);
  if (!isAny) return { check: undefined, faults };
  const { hosts, faults: ruleFaults } = readRules(given);
  const all = [
    ...faults,
    ...(ownPort === undefined ? [missingPort] : portFaults(ownPort, ports)),
    ...ruleFaults,
    ...statefulFaults(environment),
    ...hosts.flatMap(({ host }) => cookieFault(host, baseURL, environment)),
  ];
  const identity = {
    preset,
    userClaim: values.LATCHKEY_CHECK_USER_CLAIM ?? "sub",
    nameClaim:
      values.LATCHKEY_CHECK_NAME_CLAIM ??
      (preset === "latchkey" || preset === "remote" ? "name" : "preferred_username"),
    groupsClaim: values.LATCHKEY_CHECK_GROUPS_CLAIM ?? "groups",
    sendsAccessToken: isTrue.test(values.LATCHKEY_CHECK_ACCESS_TOKEN ?? ""),
  };
  const scheme = URL.parse(baseURL)?.protocol ?? "https:";
  const origins = hosts.map(({ host }) => `${scheme}//${host}`);
  const audiences = values.LATCHKEY_CHECK_AUDIENCE?.split(/[\s,]+/) ?? [];
  return { check: { port: ownPort ?? 0, hosts, identity, audiences, origins }, faults: all };
}

const missingPort = faultOf(
  "LATCHKEY_CHECK_PORT",
  "is required for the check: it listens on a port of its own, which only proxies reach",
  { remedy: "Set it to a free port, such as 3001, or leave out every LATCHKEY_CHECK_ variable." },
);

function portFaults(own: number, ports: Beside["ports"]): readonly ConfigFault[] {
  return own !== 0 && ports.includes(own)
    ? [
        faultOf("LATCHKEY_CHECK_PORT", "must be no port that the app listens on already", {
          seen: String(own),
          remedy: "Choose another port: browsers must not reach the check.",
        }),
      ]
    : [];
}

const rulesRemedy =
  'Set it to JSON such as { "wiki.example.com": "signed-in" }, in single quotes if a shell reads ' +
  "it, or to the path of a file with it.";

/** The rules as JSON, or in a file. */
function readRules(given: string | undefined): {
  readonly hosts: readonly HostRules[];
  readonly faults: readonly ConfigFault[];
} {
  const fail = (message: string) => ({
    hosts: [],
    faults: [faultOf("LATCHKEY_CHECK_RULES", message, { seen: given, remedy: rulesRemedy })],
  });
  if (given === undefined) return fail("is required for the check");
  let json: unknown;
  try {
    json = JSON.parse(given.startsWith("{") ? given : readFileSync(given, "utf8"));
  } catch (error) {
    return fail(`cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  const parsed = v.safeParse(checkRules, json);
  if (parsed.success) return { hosts: parsed.output, faults: [] };
  return {
    hosts: [],
    faults: parsed.issues.map((issue) => {
      const place = (issue.path ?? []).map(({ key }) => `["${String(key)}"]`).join("");
      const message = `${place} ${issue.message}`.trim();
      return faultOf("LATCHKEY_CHECK_RULES", message, { remedy: rulesRemedy });
    }),
  };
}

/** A proxy passes on one cookie at most, and not its chunks. */
function statefulFaults(environment: Environment): readonly ConfigFault[] {
  const { stateful } = optionsFromEnvironment(environment).options.session ?? {};
  if (stateful !== false) return [];
  const reason = "must not be false with the check: proxies lose large cookies";
  const remedy = "Leave it out: with the check, sessions are in the store.";
  return [faultOf("LATCHKEY_SESSION_STATEFUL", reason, { seen: "false", remedy })];
}

/** Without the session cookie, a host would send its users to sign in forever. */
function cookieFault(
  host: string,
  baseURL: string,
  environment: Environment,
): readonly ConfigFault[] {
  const own = URL.parse(baseURL)?.hostname;
  const asked = URL.parse(`http://${host}`)?.hostname;
  if (own === undefined || asked === undefined || own === asked) return [];
  const { domain = "" } = optionsFromEnvironment(environment).options.session?.cookie ?? {};
  const bare = typeof domain === "string" ? domain.replace(/^\./, "").toLowerCase() : "";
  const isBelow = (name: string) => name === bare || name.endsWith(`.${bare}`);
  if (bare !== "" && isBelow(own) && isBelow(asked)) return [];
  const reason = `names ${host}, whose users would not bring the session cookie of ${own}`;
  const remedy =
    "Set LATCHKEY_SESSION_COOKIE_DOMAIN to a domain above both hosts, such as example.com.";
  return [faultOf("LATCHKEY_CHECK_RULES", reason, { remedy })];
}
