import { againstPeers } from "./agreed.ts";
import type { Case } from "./case.ts";
import { measureRequests } from "./requests.ts";

/** A page behind sign-in, asked by nobody: on to sign-in. */
export const unauthenticatedPage: Case = {
  name: "unauthenticated-page",
  measure: async (world) => [
    await measureRequests(world, {
      title: "unauthenticated page",
      path: "page",
      want: "page",
      signedIn: false,
      comparisons: againstPeers(0.3),
    }),
  ],
};
