import { expect, test } from "vitest";
import { ada } from "../support/server.support.ts";
import { createTestBrowser } from "../support/browser.support.ts";

const minute = 60_000;

test("a user stays signed in during 250 hours with 5 % failed requests", async () => {
  const { server, clock, open } = createTestBrowser();
  server.signIn(ada);
  server.rolling = 1_800;
  server.absolute = 1e9;
  let seed = 7;
  const chance = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  server.override = () => (chance() < 0.05 ? "offline" : undefined);
  const tab = open(server.initialSession());
  const seen = new Set<string>();
  tab.client.subscribe(() => seen.add(tab.client.getSnapshot().status));
  for (let spent = 0; spent < 250; spent++) {
    // oxlint-disable no-await-in-loop -- one hour after the other: looked at, then left open
    await tab.show();
    await clock.advance(10 * minute);
    server.use();
    await clock.advance(10 * minute);
    await tab.hide();
    server.use();
    await clock.advance(29 * minute);
    server.use();
    await clock.advance(11 * minute);
    // oxlint-enable no-await-in-loop
  }
  expect([...seen]).toEqual(["signed-in"]);
  expect(server.requests.length).toBeGreaterThan(5_000);
  tab.close();
});
