import { againstPeers } from "./agreed.ts";
import type { Case } from "./case.ts";
import { measureRequests } from "./requests.ts";

/** An API behind sign-in, asked by nobody: 401. */
export const unauthenticatedAPI: Case = {
  name: "unauthenticated-api",
  measure: async (world) => [
    await measureRequests(world, {
      title: "unauthenticated API",
      path: "api",
      want: "data",
      signedIn: false,
      comparisons: againstPeers(0.3),
    }),
  ],
};
