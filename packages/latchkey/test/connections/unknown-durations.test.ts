import { expect, test } from "vitest";

import { lookUp } from "../../src/connections/index.ts";
import { settingsAt, signIn, startTwoProviders } from "./two-providers.ts";

/** A user of a customer whose sessions end after 90 minutes. A new process looks up in vain. */
async function startOutage(stateful?: boolean) {
  const world = await startTwoProviders();
  const acme = { ...settingsAt(world.second), session: { absoluteDuration: 5400 } };
  const session = { rollingDuration: 3600, stateful };
  const serve = (byID: () => typeof acme) =>
    world.serve({ connections: lookUp({ byID, issuers: () => true }), session });
  serve(() => acme);
  const browser = world.browser();
  await signIn(world, browser, "/api/auth/login/acme");
  serve(() => {
    throw new Error("the database is down");
  });
  return {
    recover: () => serve(() => acme),
    /** Uses the session some minutes later. */
    async useAfter(minutes: number) {
      world.advance(minutes * 60);
      await browser.request("/");
      return (await browser.request("/api/auth/me")).status;
    },
  };
}

test.each([
  ["in cookies", false],
  ["in the store", true],
])("while a look-up fails, no use of a session %s moves its end [MX-042]", async (_, stateful) => {
  const { useAfter } = await startOutage(stateful);
  const statuses = [];
  for (let uses = 0; uses < 5; uses += 1) statuses.push(await useAfter(25));
  expect(statuses).toEqual([200, 200, 204, 204, 204]);
});

test("a session that was used while a look-up failed moves its end again afterwards", async () => {
  const { useAfter, recover } = await startOutage();
  expect(await useAfter(50)).toBe(200);
  recover();
  expect([await useAfter(5), await useAfter(30), await useAfter(4)]).toEqual([200, 200, 200]);
  expect(await useAfter(2)).toBe(204);
});
