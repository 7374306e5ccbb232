import { routeRuleRows } from "../suite/rows/route-rules.ts";
import { drivenHost } from "../suite/world.ts";

routeRuleRows(
  drivenHost,
  [
    ["/members/passed-on", "a proxy of routeRules", 200, "Kept for"],
    ["/members/moved", "a redirect of routeRules", 307, ""],
    ["/members/cached", "a page that is cached", 200, "Kept for"],
    ["/members/written", "a prerendered page", 200, "Written by the build for nobody"],
    ["/handbook.txt", "a file of public/", 200, "For members."],
  ],
  ["/members/plain", "/members/passed-on", "/members/cached", "/members/nothing"],
);
