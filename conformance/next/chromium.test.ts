import { describe, expect, test } from "vitest";

import { sharedWorld } from "../suite/world.ts";
import { endSession, sharedWindows, signIn } from "./watched-page.ts";

describe("Next's own navigation in Chromium", () => {
  const shared = sharedWorld();
  const openPage = sharedWindows(shared);

  test("a link to a protected page leads a stranger to login and back, and the console stays empty [AD-013]", async () => {
    const { page, console } = await openPage("/");
    await page.getByRole("link", { name: "Private page" }).click();
    await page.getByRole("button", { name: "Ada Okafor" }).click();
    await page.waitForURL("**/private?tab=2");
    await expect(page.textContent("h1")).resolves.toBe("Private page of Ada Okafor");
    expect(console).toEqual([]);
  });

  test("a link after the session has ended leads to login and back [AD-013]", async () => {
    const { page, console } = await openPage("/");
    await signIn(page);
    await page.goto("/");
    await endSession(page);
    await page.getByRole("link", { name: "Private page" }).click();
    await page.waitForURL("**/private?tab=2");
    await expect(page.textContent("h1")).resolves.toBe("Private page of Ada Okafor");
    expect(console).toEqual([]);
  });

  test("a link to a page whose component requires a session leads to login and back [AD-013]", async () => {
    const { page, console } = await openPage("/public/links");
    await page.getByRole("link", { name: "Members" }).click();
    await page.getByRole("button", { name: "Ada Okafor" }).click();
    await page.waitForURL("**/public/members");
    await expect(page.textContent("h1")).resolves.toBe("Member Ada Okafor");
    expect(console).toEqual([]);
  });

  test("the browser keeps the later cookie of a GET handler that changes the session [AD-018]", async () => {
    const { page } = await openPage("/");
    await signIn(page);
    // What Next fetches ahead renews the session, too.
    await page.waitForLoadState("networkidle");
    const { baseURL } = shared();
    for (const theme of ["first", "second"]) {
      await page.request.post(`${baseURL}/api/update`, { data: { theme } });
      // By the address bar, and by a script of a page.
      if (theme === "first") await page.goto("/api/plain");
      else await page.evaluate(() => fetch("/api/plain"));
      await page.goto("/api/me");
      expect(await page.textContent("body")).toContain('"theme":"plain"');
    }
  });

  test("links to protected pages and to login are fetched ahead without starting a login [AD-014]", async () => {
    const { page, console, asked } = await openPage("/public/links");
    await page.waitForLoadState("networkidle");
    expect(asked.filter((each) => each.includes("/private"))).not.toEqual([]);
    expect(asked.filter((each) => each.includes("/authorize"))).toEqual([]);
    expect((await page.context().cookies()).map(({ name }) => name)).toEqual([]);
    expect(console).toEqual([]);
  });
});
