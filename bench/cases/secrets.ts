import type { ProgramName } from "../programs.ts";
import { strangers } from "../measure/strangers.ts";
import type { Case, Comparison } from "./case.ts";
import { measureRequests } from "./requests.ts";

const one = "1 secret" satisfies ProgramName;
const comparisons: readonly Comparison[] = [
  { of: "2 secrets", to: one },
  { of: "3 secrets", to: one },
  { of: "4 secrets", to: one },
  { of: "5 secrets", to: one, bar: 1.1 },
];

/** One to five secrets, the session sealed with the oldest of them. */
export const secrets: Case = {
  name: "secrets",
  measure: async (world) => [
    await measureRequests(world, {
      title: "several secrets, the oldest in use",
      path: "api",
      want: "data",
      signedIn: true,
      cookies: strangers,
      comparisons,
    }),
  ],
};
