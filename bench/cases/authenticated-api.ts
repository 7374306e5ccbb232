import { signedInComparisons } from "./agreed.ts";
import type { Case } from "./case.ts";
import { measureRequests } from "./requests.ts";

/** An API behind sign-in: the session is read and, where sessions roll, renewed. */
export const authenticatedAPI: Case = {
  name: "authenticated-api",
  measure: async (world) => [
    await measureRequests(world, {
      title: "authenticated API",
      path: "api",
      want: "data",
      signedIn: true,
      comparisons: signedInComparisons,
    }),
  ],
};
