import { againstPeers } from "./agreed.ts";
import type { Case } from "./case.ts";
import { measureRequests } from "./requests.ts";

/** A page behind sign-in. The web application renders a whole screen, the others answer with one line. */
export const authenticatedPage: Case = {
  name: "authenticated-page",
  measure: async (world) => [
    await measureRequests(world, {
      title: "authenticated page",
      path: "page",
      want: "page",
      signedIn: true,
      comparisons: againstPeers(),
    }),
  ],
};
