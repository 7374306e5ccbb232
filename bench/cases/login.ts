import { againstPeers } from "./agreed.ts";
import type { Case } from "./case.ts";
import { measureRequests } from "./requests.ts";

/** The start of a sign-in: a pending login in a cookie, and on to the provider, whose metadata is known. */
export const login: Case = {
  name: "login",
  measure: async (world) => [
    await measureRequests(world, {
      title: "login redirect",
      path: "login",
      want: "page",
      signedIn: false,
      comparisons: againstPeers(0.5),
    }),
  ],
};
