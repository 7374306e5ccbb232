import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

import { choosePerson, expectText, sharedChromium } from "../suite/browser-window.ts";
import { hostFolder, sharedWorld } from "../suite/world.ts";

describe("a page rendered by the build of TanStack Start", () => {
  const world = sharedWorld();
  const newWindow = sharedChromium();

  test("holds no person, and the build needed no setting [AD-037]", () => {
    const page = readFileSync(path.join(hostFolder, "dist/client/about/index.html"), "utf8");
    expect(page).toContain("Built for nobody");
  });

  test("is the same for a signed-in user, and the browser fetches the user [AD-037]", async () => {
    const { page, complaints } = await newWindow();
    await page.goto(`${world().baseURL}/api/auth/login?returnTo=/about`);
    await choosePerson(page);
    await expectText(page, "Shown to Ada Okafor");
    await expectText(page, "Built for nobody");
    expect(complaints).toEqual([]);
  });
});
