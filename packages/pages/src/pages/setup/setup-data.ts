import type { ConfigFault } from "latchkey";

import type { SettingRow, SetupView } from "./setup-view.ts";
import { withoutUserInfo } from "./without-user-info.ts";

/** The settings of every app, by their variables. */
const essential: Readonly<Record<string, string>> = {
  LATCHKEY_BASE_URL: "baseURL",
  LATCHKEY_ISSUER_BASE_URL: "issuerBaseURL",
  LATCHKEY_CLIENT_ID: "clientID",
  LATCHKEY_CLIENT_SECRET: "clientSecret",
  LATCHKEY_SECRET: "secret",
};

const neverShown: readonly string[] = ["LATCHKEY_CLIENT_SECRET", "LATCHKEY_SECRET"];

/** What the set-up screen is made of. */
export interface SetupFacts {
  readonly faults: readonly ConfigFault[];
  /** By option, as written. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly baseURL: string;
  readonly routes: SetupRoutes;
  /** Whether this is an app of the developer: then settings without a fault are good. */
  readonly isOwnApp: boolean;
}

/** The addresses to which the provider sends browsers and logout tokens. */
export interface SetupRoutes {
  readonly callback: string;
  readonly backchannelLogout: string;
  /** A path, or an absolute address. */
  readonly postLogoutRedirect: string;
}

/** The checklist: the settings of every app, then further faults. */
export function setupView(facts: SetupFacts): SetupView {
  const { faults, baseURL, routes, isOwnApp } = facts;
  const { callback, backchannelLogout, postLogoutRedirect } = routes;
  const others = faults.map((fault) => [nameOf(fault), fault.option] as const);
  const options = new Map([...others, ...Object.entries(essential)]);
  const order = new Set([...Object.keys(essential), ...options.keys()]);
  return {
    rows: [...order].map((variable) => rowOf(variable, options.get(variable) ?? "", facts)),
    callbackURL: baseURL + callback,
    signOutReturnURL: postLogoutRedirect.startsWith("/")
      ? baseURL + postLogoutRedirect
      : postLogoutRedirect,
    backchannelURL: baseURL + backchannelLogout,
    isOwnApp,
  };
}

function rowOf(
  variable: string,
  option: string,
  { faults, settings, isOwnApp }: SetupFacts,
): SettingRow {
  const value = settings[option];
  const fault = faults.find((each) => nameOf(each) === variable);
  if (fault !== undefined) {
    const { message, remedy, seen } = fault;
    const state = seen === undefined && value === undefined ? "missing" : "wrong";
    return { variable, state, message: `${variable} ${message}.`, remedy, seen };
  }
  if (value === undefined) return { variable, state: isOwnApp ? "ok" : "missing" };
  const isShown = typeof value === "string" && !neverShown.includes(variable);
  return { variable, state: "ok", seen: isShown ? withoutUserInfo(value) : undefined };
}

/** The variable of a setting; the option if it has none. */
function nameOf({ variable, option }: ConfigFault): string {
  return variable === "" ? option : variable;
}
