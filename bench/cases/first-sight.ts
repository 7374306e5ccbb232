import { strangers } from "../measure/strangers.ts";
import { type Case, type Comparison, worthMaking } from "./case.ts";
import { floorOf, measureRequests } from "./requests.ts";

const agreed: readonly Comparison[] = [
  { of: "latchkey", to: floorOf("latchkey"), bar: 1.3 },
  { of: "web application", to: floorOf("web application"), bar: 1.3 },
];

/** Every request carries a cookie that the server does not remember: nobody comes twice. */
export const firstSight: Case = {
  name: "first-sight",
  measure: async (world) => [
    await measureRequests(world, {
      title: "`me`, every cookie seen for the first time",
      path: "me",
      want: "data",
      signedIn: true,
      cookies: strangers,
      comparisons: worthMaking(world, agreed),
    }),
  ],
};
