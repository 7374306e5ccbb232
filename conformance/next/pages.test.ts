import { describe, expect, test } from "vitest";

import { choosePerson, expectText, sharedChromium } from "../suite/browser-window.ts";
import { sharedWorld } from "../suite/world.ts";
import { endSession } from "./watched-page.ts";

describe("the router of pages/ in Chromium", () => {
  const shared = sharedWorld();
  const newWindow = sharedChromium();

  test("a link leads a stranger to login and back, and the console stays empty [AD-013]", async () => {
    const { page, complaints } = await newWindow();
    await page.goto(`${shared().baseURL}/public/classic`);
    await page.getByRole("link", { name: "Classic page" }).click();
    await choosePerson(page);
    await expectText(page, "Visit 1 of Ada Okafor");
    expect([new URL(page.url()).search, complaints]).toEqual(["?tab=2", []]);
  });

  test("a link after the session has ended leads to login and back [AD-013]", async () => {
    const { page, complaints } = await newWindow();
    await page.goto(`${shared().baseURL}/api/auth/login?returnTo=/public/classic`);
    await choosePerson(page);
    await page.getByRole("link", { name: "Classic page" }).waitFor();
    await endSession(page);
    await page.getByRole("link", { name: "Classic page" }).click();
    await expectText(page, "Visit 1 of Ada Okafor");
    expect(complaints).toEqual([]);
  });

  test("getServerSideProps changes the session once for each visit [AD-018]", async () => {
    const browser = await shared().signedIn();
    for (const visit of [1, 2, 3]) {
      // oxlint-disable-next-line no-await-in-loop -- one visit after the other
      const page = await browser.request("/classic");
      expect(page.text).toContain(`Visit ${visit} of Ada Okafor`);
      const sealed = page.headers.getSetCookie().filter((line) => line.startsWith("appSession="));
      expect(sealed).toHaveLength(1);
    }
  });

  test("the data of a page are guarded as the page is [AD-010]", async () => {
    const { text } = await shared().browser().request("/public/classic");
    const [, build = ""] = /"buildId":"([^"]+)"/.exec(text) ?? [];
    const data = await shared().browser().request(`/_next/data/${build}/classic.json`);
    expect([build.length > 0, data.text.includes("Visit")]).toEqual([true, false]);
    const ada = await shared().signedIn();
    const own = await ada.request(`/_next/data/${build}/classic.json`);
    expect(JSON.parse(own.text)).toMatchObject({ pageProps: { name: "Ada Okafor" } });
    expect(own.headers.get("cache-control")).toMatch(/private/);
  });
});
