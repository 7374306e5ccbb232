import type { ProgramName } from "../programs.ts";
import type { Comparison } from "./case.ts";
import { bareOf, fetchFloorOf, floorOf } from "./requests.ts";

/** Our two forms: the engine in the smallest app, and the application as it is built. */
export const ourForms = ["latchkey", "web application"] as const satisfies readonly ProgramName[];

/** The bars for requests of signed-in people, for both of our forms. */
export const signedInComparisons: readonly Comparison[] = ourForms.flatMap((form) => {
  const renewAfter = `${form}, renewAfter` as const satisfies ProgramName;
  return [
    { of: form, to: floorOf(form), bar: 1.3 },
    { of: form, to: fetchFloorOf(form) },
    { of: fetchFloorOf(form), to: floorOf(form) },
    { of: floorOf(form), to: bareOf(form) },
    { of: form, to: "express-openid-connect", bar: 0.3 },
    { of: form, to: "@hono/oidc-auth", bar: 0.8 },
    { of: form, to: "better-auth" },
    { of: renewAfter, to: form, bar: 0.6 },
    { of: renewAfter, to: "@hono/oidc-auth", bar: 0.4 },
  ];
});

/** Compares both of our forms with the peers; a bar stands against express-openid-connect alone. */
export function againstPeers(bar?: number): readonly Comparison[] {
  return ourForms.flatMap((form) => [
    { of: form, to: "express-openid-connect", bar },
    { of: form, to: "@hono/oidc-auth" },
    { of: form, to: "better-auth" },
  ]);
}
