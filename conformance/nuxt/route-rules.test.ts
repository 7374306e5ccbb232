import { describe, expect, test } from "vitest";

import { expectPrivate, navigation } from "../suite/expectations.ts";
import { host, sharedWorld } from "../suite/world.ts";

describe("what Nitro answers by itself", () => {
  const world = sharedWorld();

  test.each([
    ["/members/passed-on", "a proxy of routeRules", 200, "Kept for"],
    ["/members/moved", "a redirect of routeRules", 307, ""],
    ["/members/cached", "a page that is cached", 200, "Kept for"],
    ["/members/written", "a prerendered page", 200, "Written by the build for nobody"],
    ["/handbook.txt", "a file of public/", 200, "For members."],
  ])(
    "%s, %s, is closed to strangers and open to whoever is signed in [AD-010]",
    async (target, _, status, text) => {
      const stranger = await world().send({ target, headers: navigation });
      expect([stranger.status, stranger.header("location")]).toEqual([
        302,
        `${world().baseURL}/api/auth/login?returnTo=${encodeURIComponent(target)}`,
      ]);
      const cookie = await (await world().signedIn()).cookies();
      const response = await world().send({ target, headers: { cookie } });
      expect([response.status, response.body]).toEqual([status, expect.stringContaining(text)]);
      expect(response.body).not.toContain("Ada");
    },
  );

  test.each(["/members/plain", "/members/passed-on", "/members/cached", "/members/nothing"])(
    "%s is kept by no shared cache for whoever is signed in, whatever the headers of routeRules say [AD-022]",
    async (target) => {
      const cookie = await (await world().signedIn()).cookies();
      const response = await world().send({ target, headers: { ...navigation, cookie } });
      expectPrivate(host, response);
    },
  );
});
