/** Checks options of the type function or object, since JavaScript lets other values pass. */
import type { ConfigFault } from "../errors/config-error.ts";
import { nearestName } from "../config/nearest-name.ts";
import { storeOperations } from "../stores/store.ts";
import type { Part, PartName } from "./part.ts";

const functions = [
  "log",
  "renderProblem",
  "renderSignedOut",
  "renderKeptForm",
  "watchSecrets",
  "fetch",
  "clock",
  "random",
  "waitUntil",
] as const;
const hookNames = ["afterCallback", "beforeSave", "afterRefresh"];

/** What makes each part. */
const makers: Readonly<Record<PartName, string>> = {
  api: "api() of latchkey/api, or mcp() of latchkey/mcp",
  tokenExchange: "tokenExchange() of latchkey/token-exchange",
  formerSessions: "nextjsAuth0() or expressOpenIDConnect() of latchkey/moving",
  pages: "pages() of @latchkey/pages",
  inspector: "latchkey/inspector",
};

type Given = Readonly<
  Partial<Record<(typeof functions)[number] | PartName | "hooks" | "store", unknown>>
>;

/** Returns a fault for each wrong part. A misspelt one would never be called. */
export function faultyParts(options: Given): readonly ConfigFault[] {
  const wrong = functions.filter((name) => !isFunctionOrAbsent(options[name]));
  return [
    ...wrong.map((name) => wrongPart(name)),
    ...faultyHooks(options.hooks),
    ...partNames.flatMap((name) => faultsIn(name, options[name])),
    ...(isStore(options.store) || isFunctionOrAbsent(options.store) ? [] : [noStore]),
  ];
}

const partNames = Object.keys(makers) as readonly PartName[];

/** Returns the parts among options, without wrong ones. */
export function partsIn(options: Readonly<Partial<Record<PartName, unknown>>>): readonly Part[] {
  return partNames.flatMap((name) => {
    const given = options[name];
    return isPart(name, given) ? [given] : [];
  });
}

/** Whether something has every operation of a store. */
export function isStore(given: unknown): boolean {
  if (typeof given !== "object" || given === null) return false;
  return [...storeOperations, "close"].every(
    (name) => typeof Reflect.get(given, name) === "function",
  );
}

function isFunctionOrAbsent(part: unknown): boolean {
  return part === undefined || typeof part === "function";
}

function faultyHooks(hooks: unknown): readonly ConfigFault[] {
  return Object.entries(hooks ?? {}).flatMap(([name, hook]) => {
    const option = `hooks.${name}`;
    if (hookNames.includes(name)) return isFunctionOrAbsent(hook) ? [] : [wrongPart(option)];
    const meant = nearestName(name, hookNames);
    const guess = meant === undefined ? "" : `Did you mean ${meant}? `;
    const remedy = `${guess}There are ${hookNames.join(", ")}.`;
    return [{ option, variable: "", message: "is no hook", remedy }];
  });
}

/** The faults that a part names itself. */
function faultsIn(name: PartName, given: unknown): readonly ConfigFault[] {
  if (given === undefined) return [];
  return isPart(name, given) ? given.faults : [wrongPart(name, `must be made by ${makers[name]}`)];
}

function isPart(name: PartName, given: unknown): given is Part {
  if (typeof given !== "object" || given === null) return false;
  const { name: ownName, faults, open } = given as Partial<Part>;
  return ownName === name && Array.isArray(faults) && typeof open === "function";
}

function wrongPart(option: string, message = "must be a function"): ConfigFault {
  return { option, variable: "", message, remedy: "Change it, or leave it out." };
}

const noStore: ConfigFault = {
  option: "store",
  variable: "LATCHKEY_STORE",
  message: "must be a store, or a function that opens one",
  remedy: "For an address pass () => openStore(address), with openStore of latchkey/node.",
};
