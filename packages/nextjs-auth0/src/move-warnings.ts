import type { Environment } from "latchkey";
import type { GivenOptions } from "latchkey/next";

/** Unused variables of nextjs-auth0 3.7, with our prefix, and what to do with each. */
const unused: Readonly<Record<string, string>> = {
  LATCHKEY_AUDIENCE: "Write LATCHKEY_AUTHORIZATION_PARAMS=audience=<its value> in its place.",
  LATCHKEY_ENABLE_TELEMETRY: "Delete it: no header Auth0-Client is sent.",
  LATCHKEY_LEGACY_SAME_SITE_COOKIE: "Delete it: no such cookie is set.",
  LATCHKEY_LOGOUT:
    "Delete it: logout always goes to the end-session endpoint, as with AUTH0_LOGOUT=false.",
  LATCHKEY_SESSION_AUTO_SAVE: "Delete it: each use of a rolling session renews it.",
  LATCHKEY_SESSION_COOKIE_HTTP_ONLY: "Delete it: the cookie is always HttpOnly.",
};

/** Adds a warning for each of these variables in the environment. */
export function withMoveWarnings(environment: Environment, options: GivenOptions): GivenOptions {
  const present = Object.entries(unused).filter(([name]) => environment[name]?.trim());
  return {
    ...options,
    knownVariables: [...Object.keys(unused), ...(options.knownVariables ?? [])],
    warnings: [
      ...present.map(([name, remedy]) => `${name} has no counterpart here. ${remedy}`),
      ...(options.warnings ?? []),
    ],
  };
}
