import type { Environment } from "../../../config/environment.ts";
import type { GivenOptions } from "../../environment/auth-from-environment.ts";

/** Variables of nextjs-auth0 3.7 that nothing here reads, under our prefix, and what to know of each. */
const left: Readonly<Record<string, string>> = {
  LATCHKEY_AUDIENCE: "Write LATCHKEY_AUTHORIZATION_PARAMS=audience=<its value> in its place.",
  LATCHKEY_ENABLE_TELEMETRY: "Delete it: no header Auth0-Client is sent.",
  LATCHKEY_LEGACY_SAME_SITE_COOKIE: "Delete it: no such cookie is set.",
  LATCHKEY_LOGOUT:
    "Delete it: logout always goes to the end-session endpoint, as with AUTH0_LOGOUT=false.",
  LATCHKEY_SESSION_AUTO_SAVE:
    "Delete it: each use of a rolling session renews it, as often as LATCHKEY_SESSION_RENEW_AFTER allows.",
  LATCHKEY_SESSION_COOKIE_HTTP_ONLY: "Delete it: the cookie is always HttpOnly.",
};

/** The options, with a warning for each of these variables in place of a guess at what it means. */
export function withWarningsOfMove(environment: Environment, options: GivenOptions): GivenOptions {
  const set = Object.entries(left).filter(([name]) => environment[name]?.trim());
  return {
    ...options,
    knownVariables: [...Object.keys(left), ...(options.knownVariables ?? [])],
    warnings: [
      ...set.map(([name, remedy]) => `${name} has no counterpart here. ${remedy}`),
      ...(options.warnings ?? []),
    ],
  };
}
