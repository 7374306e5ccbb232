import { signedInComparisons } from "./agreed.ts";
import type { Case } from "./case.ts";
import { measureRequests } from "./requests.ts";

/** The route that tells the claims of who is signed in. */
export const me: Case = {
  name: "me",
  measure: async (world) => [
    await measureRequests(world, {
      title: "`me`",
      path: "me",
      want: "data",
      signedIn: true,
      comparisons: signedInComparisons,
    }),
  ],
};
