import type { ConfigFault, Environment } from "latchkey";

import type { SettingRow, SetupView } from "./setup-view.ts";
import { withoutUserInfo } from "./without-user-info.ts";

const essential: readonly string[] = [
  "LATCHKEY_BASE_URL",
  "LATCHKEY_ISSUER_BASE_URL",
  "LATCHKEY_CLIENT_ID",
  "LATCHKEY_CLIENT_SECRET",
  "LATCHKEY_SECRET",
];
/** Where the provider sends browsers and logout tokens. */
export interface SetupRoutes {
  readonly callback: string;
  readonly backchannelLogout: string;
  /** A path, or an absolute address. */
  readonly postLogoutRedirect: string;
}

const defaultRoutes: SetupRoutes = {
  callback: "/api/auth/callback",
  backchannelLogout: "/api/auth/backchannel-logout",
  postLogoutRedirect: "/_auth/signed-out",
};

const neverShown: readonly string[] = ["LATCHKEY_CLIENT_SECRET", "LATCHKEY_SECRET"];

/**
 * The checklist: the settings of every app, then further faults.
 *
 * @param environment absent inside an app of the developer; then settings without a fault are good
 */
export function setupView(
  environment: Environment | undefined,
  faults: readonly ConfigFault[],
  baseURL: string,
  routes: SetupRoutes = defaultRoutes,
): SetupView {
  const { callback, backchannelLogout, postLogoutRedirect } = routes;
  const others = faults.map(nameOf).filter((it) => !essential.includes(it));
  return {
    rows: [...essential, ...new Set(others)].map((variable) =>
      rowOf(variable, environment, faults, baseURL),
    ),
    callbackURL: baseURL + callback,
    signOutReturnURL: postLogoutRedirect.startsWith("/")
      ? baseURL + postLogoutRedirect
      : postLogoutRedirect,
    backchannelURL: baseURL + backchannelLogout,
    isOwnApp: environment === undefined,
  };
}

function rowOf(
  variable: string,
  environment: Environment | undefined,
  faults: readonly ConfigFault[],
  baseURL: string,
): SettingRow {
  const set = environment?.[variable] ?? (variable === "LATCHKEY_BASE_URL" ? baseURL : undefined);
  const fault = faults.find((each) => nameOf(each) === variable);
  if (fault !== undefined) {
    const { message, remedy, seen } = fault;
    const isMissing = environment === undefined ? seen === undefined : set === undefined;
    const state = isMissing ? "missing" : "wrong";
    return { variable, state, message: `${variable} ${message}.`, remedy, seen };
  }
  if (environment === undefined) return { variable, state: "ok" };
  if (set === undefined) return { variable, state: "missing" };
  const seen = neverShown.includes(variable) ? undefined : withoutUserInfo(set);
  return { variable, state: "ok", seen };
}

/** The variable of a setting; the option if it has none. */
function nameOf({ variable, option }: ConfigFault): string {
  return variable === "" ? option : variable;
}
