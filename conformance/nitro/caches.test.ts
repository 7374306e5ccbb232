import { describe, expect, test } from "vitest";

import { sharedWorld } from "../suite/world.ts";

describe("what Nitro keeps and serves to everybody", () => {
  const world = sharedWorld();

  test.each(["/public/cached", "/public/cached-data"])(
    "%s has no user, whichever user requests it first [AD-022, AD-037]",
    async (target) => {
      const cookie = await (await world().signedIn()).cookies();
      const first = await world().send({ target, headers: { cookie } });
      const second = await world().send({ target });
      expect([first.status, first.body]).toEqual([200, "Kept for undefined"]);
      expect([second.status, second.body]).toEqual([200, "Kept for undefined"]);
    },
  );
});
