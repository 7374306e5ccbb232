/** Checks options of the type function or object, since JavaScript lets other values pass. */
import type { ConfigFault } from "../errors/config-error.ts";
import { nearestName } from "../config/nearest-name.ts";
import { storeOperations } from "../stores/store.ts";
import type { CallersPart } from "./callers.ts";

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
  "inspector",
] as const;
const hookNames = ["afterCallback", "beforeSave", "afterRefresh"];

type Given = Readonly<
  Partial<
    Record<
      (typeof functions)[number] | "api" | "formerSessions" | "hooks" | "store" | "tokenExchange",
      unknown
    >
  >
> & {
  readonly pages?: { readonly create?: unknown } | null | undefined;
};

/** Returns a fault for each wrong part. A misspelt one would never be called. */
export function faultyParts(options: Given): readonly ConfigFault[] {
  const wrong = functions.filter((name) => !isFunctionOrAbsent(options[name]));
  return [
    ...wrong.map((name) => wrongPart(name)),
    ...faultyHooks(options.hooks),
    ...(isTokenExchange(options.tokenExchange) ? [] : [noTokenExchange]),
    ...(isPagesOption(options.pages)
      ? []
      : [wrongPart("pages", "must be made by pages() of @latchkey/pages")]),
    ...faultsIn(options.api, wrongPart("api", "must be made by api() of latchkey/api")),
    ...faultsIn(options.formerSessions, noFormerSessions),
    ...(isStore(options.store) || isFunctionOrAbsent(options.store) ? [] : [noStore]),
  ];
}

/** Whether something has every operation of a store. */
export function isStore(given: unknown): boolean {
  if (typeof given !== "object" || given === null) return false;
  return [...storeOperations, "close"].every(
    (name) => typeof Reflect.get(given, name) === "function",
  );
}

function isTokenExchange(given: unknown): boolean {
  if (given === undefined) return true;
  if (typeof given !== "object" || given === null) return false;
  return "tokenFor" in given && typeof given.tokenFor === "function";
}

function isPagesOption(part: Given["pages"]): boolean {
  return part === undefined || typeof part?.create === "function";
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
function faultsIn(given: unknown, noPart: ConfigFault): readonly ConfigFault[] {
  if (given === undefined) return [];
  const { faults, open } = (given ?? {}) as Partial<CallersPart>;
  return Array.isArray(faults) && typeof open === "function" ? faults : [noPart];
}

function wrongPart(option: string, message = "must be a function"): ConfigFault {
  return { option, variable: "", message, remedy: "Change it, or leave it out." };
}

const noTokenExchange: ConfigFault = {
  option: "tokenExchange",
  variable: "",
  message: "is no token exchange",
  remedy: 'Pass tokenExchange({ form: "rfc8693" }), with tokenExchange of latchkey/token-exchange.',
};

const noFormerSessions = wrongPart(
  "formerSessions",
  "must be made by nextjsAuth0() or expressOpenIDConnect() of latchkey/moving",
);

const noStore: ConfigFault = {
  option: "store",
  variable: "LATCHKEY_STORE",
  message: "must be a store, or a function that opens one",
  remedy: "For an address pass () => openStore(address), with openStore of latchkey/node.",
};
