import { describe, expect, test } from "vitest";

import {
  choosePerson,
  expectText,
  sharedChromium,
  untilHydrated,
} from "../suite/browser-window.ts";
import { sharedWorld } from "../suite/world.ts";

describe("data behind a sign-in, in Chromium", () => {
  const world = sharedWorld();
  const newWindow = sharedChromium();

  test("an action after the session has ended leads to login and back, and the console stays empty [AD-015]", async () => {
    const { page, complaints } = await newWindow();
    await page.goto(`${world().baseURL}/act`);
    await choosePerson(page);
    await untilHydrated(page);
    await world().provider.endSessions("person-ada");
    await page.getByRole("button", { name: "Act" }).click();
    await choosePerson(page);
    await page.waitForURL(`${world().baseURL}/act`);
    await untilHydrated(page);
    await page.getByRole("button", { name: "Act" }).click();
    await expectText(page, "Done by Ada Okafor");
    expect(complaints).toEqual([]);
  });

  test("a page named by a client leads nowhere else after the sign-in [AD-012]", async () => {
    const asked = await world().send({
      target: "/api/me",
      headers: { "x-latchkey-page": "//elsewhere.example/\\x" },
    });
    const location = new URL(asked.header("x-latchkey-location") ?? "");
    expect(location.origin).toBe(world().baseURL);
    const back = new URL(location.searchParams.get("returnTo") ?? "", world().baseURL);
    expect([asked.status, back.origin]).toEqual([200, world().baseURL]);
  });
});
