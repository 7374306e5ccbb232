import { describe, expect, test } from "vitest";

import { script } from "../suite/expectations.ts";
import { publicVariable } from "../suite/rows/world.ts";
import { host, sharedWorld } from "../suite/world.ts";

describe("what Nitro keeps and serves to everybody", () => {
  const world = sharedWorld();

  test.each(["/public/cached", "/public/cached-data"])(
    "%s has no user, whichever user requests it first [AD-022, AD-037]",
    async (target) => {
      const cookie = await (await world().signedIn()).cookies();
      const first = await world().send({ target, headers: { cookie } });
      const second = await world().send({ target });
      expect([first.status, first.body.includes("Ada")]).toEqual([200, false]);
      expect([second.status, second.body.includes("Ada")]).toEqual([200, false]);
      expect(second.body).toMatch(/Kept for (?:nobody|undefined)/);
    },
  );
});

describe("the data of a page, which Nuxt's client requests at another address", () => {
  const world = sharedWorld({
    environment: publicVariable(host, ["/", "/cacheable", "/public/cached"]),
  });
  const ask = (target: string) => world().send({ target, headers: script });

  test("are public if the page is [AD-010]", async () => {
    const data = await ask("/public/cached/_payload.json?_b=1");
    expect([data.status, data.body]).toEqual([200, expect.stringContaining("prerenderedAt")]);
  });

  test.each(["/private/_payload.json", "/public/cached/x/_payload.json", "/api/me/_payload.json"])(
    "are guarded like their page: %s [AD-010]",
    async (target) => {
      const { body, status } = await ask(target);
      expect([status, JSON.parse(body)]).toMatchObject([401, { error: "not_authenticated" }]);
    },
  );
});
