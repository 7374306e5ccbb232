import { describe, expect, test } from "vitest";

import { quickWorld } from "../../test/worlds/quick-world.ts";

/** A user who signed in a moment ago at a provider with such token responses. */
async function world(lifetime: object, { refreshToken = "absent" } = {}) {
  const quick = quickWorld({
    app: async (request, its) => new Response(await its.of(request).accessToken()),
  });
  let calls = 0;
  quick.provider.answers.token = (good) => {
    calls += 1;
    const { expires_in: _lifetime, refresh_token: token, ...rest } = good;
    const refreshable = refreshToken === "absent" ? {} : { refresh_token: token };
    return Response.json({ ...rest, ...refreshable, access_token: `at-${calls}`, ...lifetime });
  };
  const browser = quick.browser();
  await browser.callback();
  const open = async () => {
    const { status, text } = await browser.request("/page", { headers: { accept: "text/html" } });
    return status === 200 ? text : status;
  };
  return { open, advance: quick.advance, calls: () => calls };
}

describe("an access token that has just come is returned, and no sign-in follows another", () => {
  const lifetimes = [0, "0", 1, 5, 30, 59, 60, 61, 3600, null, "", "soon"];
  test.each([{}, ...lifetimes.map((each) => ({ expires_in: each }))])(
    "with %j",
    async (lifetime) => {
      const { open } = await world(lifetime);
      expect([await open(), await open()]).toEqual(["at-1", "at-1"]);
    },
  );

  test.each([{}, { expires_in: 0 }, { expires_in: null }])(
    "with %j beside a refresh token, which stays unspent",
    async (lifetime) => {
      const { open, advance, calls } = await world(lifetime, { refreshToken: "present" });
      expect(await open()).toBe("at-1");
      advance(3600);
      expect([await open(), calls()]).toEqual(["at-1", 1]);
    },
  );
});

test("without a refresh token a token is used to its last second", async () => {
  const { open, advance } = await world({ expires_in: 45 });
  advance(40);
  expect(await open()).toBe("at-1");
  advance(10);
  expect(await open()).toBe(302);
});

test("with a refresh token the margin decides when a token is refreshed", async () => {
  const { open } = await world({ expires_in: 45 }, { refreshToken: "present" });
  expect([await open(), await open()]).toEqual(["at-2", "at-3"]);
});
