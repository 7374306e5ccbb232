import { afterAll, beforeAll, expect, test } from "vitest";

import { startWorld, type World } from "../../test/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

test("a person signs in and lands on the page first asked for, query kept", async () => {
  const browser = world.browser();
  const page = await browser.signIn("/reports?year=2026&q=a%20b");
  expect(page.status).toBe(200);
  expect(page.url.href).toBe(`${world.baseURL}/reports?year=2026&q=a%20b`);
  const me = await browser.request("/api/auth/me");
  expect(me.status).toBe(200);
  expect(JSON.parse(me.text)).toMatchObject({ name: expect.any(String) as string });
});
