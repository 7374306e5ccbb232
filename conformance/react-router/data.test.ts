import { describe, expect, test } from "vitest";

import { script } from "../suite/expectations.ts";
import { sharedWorld } from "../suite/world.ts";

describe("the data addresses of React Router", () => {
  const world = sharedWorld();
  const ask = (target: string, headers = {}) =>
    world().send({ target, headers: { ...script, ...headers } });

  test.each(["/private.data?tab=2&_routes=root", "/private.data?tab=2", "/private/_.data?tab=2"])(
    "[AD-010, AD-013] %s is guarded like its page: the client is told to load login, with the way back",
    async (target) => {
      const { status, body } = await ask(target);
      expect([status, body.includes("Ada")]).toEqual([202, false]);
      expect(body).toMatch(/SingleFetchRedirect.*\/api\/auth\/login\?returnTo=%2Fprivate/);
      expect(body).toMatch(/returnTo=%2Fprivate(?:%2F)?%3Ftab%3D2"/);
      expect(body).toContain('"reload",true');
    },
  );

  test.each(["/_.data", "/_root.data", "/cacheable.data", "/api/me.data", "/nowhere.data"])(
    "[AD-010] %s says nothing of a person to a stranger",
    async (target) => {
      const { status, body } = await ask(target);
      expect([status < 500, body.includes("Ada")]).toEqual([true, false]);
    },
  );

  test("[AD-010] the data of a public page come without a session", async () => {
    const { status, body } = await ask("/_.data");
    expect([status, body.includes("stranger")]).toEqual([200, true]);
  });

  test("[AD-014] data that are fetched ahead are answered 401, so that no login begins", async () => {
    const { status, setCookies } = await ask("/private.data", { "sec-purpose": "prefetch" });
    expect([status, setCookies]).toEqual([401, []]);
  });

  test("[AD-018] data carry the session's headers", async () => {
    const cookie = await (await world().signedIn()).cookies();
    const { status, body, setCookies } = await ask("/private.data", { cookie });
    expect([status, body.includes("Ada Okafor")]).toEqual([200, true]);
    expect(setCookies).toEqual([expect.stringMatching(/^appSession=/)]);
  });
});
