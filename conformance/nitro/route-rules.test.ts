import { routeRuleRows } from "../suite/rows/route-rules.ts";
import { drivenHost } from "../suite/world.ts";

routeRuleRows(
  drivenHost,
  [
    ["/members/passed-on", "a proxy of routeRules", 200, "Kept for"],
    ["/members/elsewhere", "a proxy to another server", 502, "Sorry, that broke"],
    ["/members/moved", "a redirect of routeRules", 307, ""],
    ["/members/cached", "a page that is cached", 200, "Kept for"],
    ["/members/written", "a page that the build has written", 200, "Written by"],
    ["/handbook.txt", "a file of public/", 200, "For members."],
  ],
  [
    "/members/plain",
    "/members/passed-on",
    "/members/cached",
    "/members/hooked",
    "/members/nothing",
  ],
);
