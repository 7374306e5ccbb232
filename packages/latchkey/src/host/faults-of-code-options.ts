/** Checks options of the type function or object: JavaScript lets other values pass. */
import { createPathRules } from "../config/access-rule.ts";
import { defaultID } from "../config/constants.ts";
import { faultsOfOptions, type OptionForm, type OptionForms } from "../config/option-forms.ts";
import { isJSONObject } from "../crypto/json-object.ts";
import { ConfigError, type ConfigFault } from "../errors/config-error.ts";
import { storeOperations } from "../stores/store.ts";
import type { Part, PartName } from "./part.ts";

const aFunction: OptionForm = {
  expected: "must be a function",
  isGood: (value) => typeof value === "function",
  remedy: "Change it, or leave it out.",
};

const hookForms = { afterCallback: aFunction, beforeSave: aFunction, afterRefresh: aFunction };

/** Connections may be settings, too. */
type MadeName = Exclude<PartName, "connections">;

/** What makes each part. */
const makers: Readonly<Record<MadeName, string>> = {
  api: "api() of latchkey/api, or mcp() of latchkey/mcp",
  tokenExchange: "tokenExchange() of latchkey/token-exchange",
  formerSessions: "nextjsAuth0() or expressOpenIDConnect() of latchkey/moving",
  pages: "pages() of @latchkey/pages",
  inspector: "latchkey/inspector, as inspector",
  relay: "relay() of latchkey/relay",
};

const makerNames = Object.keys(makers) as readonly MadeName[];
const partNames: readonly PartName[] = [...makerNames, "connections"];

const forms = {
  log: aFunction,
  renderProblem: aFunction,
  renderSignedOut: aFunction,
  renderKeptForm: aFunction,
  watchSecrets: aFunction,
  fetch: aFunction,
  clock: aFunction,
  random: aFunction,
  waitUntil: aFunction,
  hooks: { expected: "must be an object of hooks", members: () => hookForms },
  ...(Object.fromEntries(makerNames.map((name) => [name, partForm(name)])) as Record<
    MadeName,
    OptionForm
  >),
  store: {
    expected: "must be a store, or a function that opens one",
    isGood: (value) => isStore(value) || typeof value === "function",
    remedy: "For an address pass () => openStore(address), with openStore of latchkey/node.",
    variable: "LATCHKEY_STORE",
  },
} satisfies OptionForms;

/** The options in code, as an app has passed them. */
export type GivenOptions = Readonly<
  Partial<Record<keyof typeof forms | "accessRules" | "connections", unknown>>
>;

/** Returns every fault of such options, and of the options of each part. */
export function faultsOfCodeOptions(given: GivenOptions): readonly ConfigFault[] {
  const names = Object.keys(forms) as readonly (keyof typeof forms)[];
  const options = Object.fromEntries(names.map((name) => [name, given[name]]));
  return [
    ...faultsOfOptions({ place: "", call: "createAuth()", options, forms }),
    ...partsIn(given).flatMap(({ written }) => faultsOfOptions(written)),
    ...faultsOfRules(given.accessRules, connectionIDs(given.connections)),
  ];
}

/** `undefined` if connections are looked up, or if they have a fault of their own. */
function connectionIDs(connections: unknown = {}): readonly string[] | undefined {
  const isKnown = isJSONObject(connections) && !isPart("connections", connections);
  return isKnown ? [defaultID, ...Object.keys(connections)] : undefined;
}

function faultsOfRules(
  rules: unknown,
  connections: readonly string[] | undefined,
): readonly ConfigFault[] {
  try {
    createPathRules(rules as Parameters<typeof createPathRules>[0], { connections });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

function partForm(name: MadeName): OptionForm {
  return {
    expected: `must be made by ${makers[name]}`,
    isGood: (value) => isPart(name, value),
    remedy: "Change it, or leave it out.",
  };
}

/** Returns the parts among options, without wrong ones. */
export function partsIn(options: GivenOptions): readonly Part[] {
  return partNames.flatMap((name) => {
    const given = options[name];
    return isPart(name, given) ? [given] : [];
  });
}

export function isStore(given: unknown): boolean {
  if (typeof given !== "object" || given === null) return false;
  return [...storeOperations, "close"].every(
    (name) => typeof Reflect.get(given, name) === "function",
  );
}

/** Whether something was made by the function of a part. */
export function isPart<Name extends PartName>(name: Name, given: unknown): given is Part<Name> {
  if (typeof given !== "object" || given === null) return false;
  const { name: ownName, written, open } = given as Partial<Part>;
  return ownName === name && typeof written === "object" && typeof open === "function";
}
