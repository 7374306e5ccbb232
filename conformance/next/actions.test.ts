import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { actionsOf } from "../suite/expectations.ts";
import { copyExample } from "../suite/example-copy.ts";
import * as rows from "../suite/rows/world.ts";
import { builtHost, drivenHost, hostFolder } from "../suite/world.ts";
import { endSession, sharedWindows, signIn } from "./watched-page.ts";

/** webpack bundles actions apart from their pages. The build of the host is Turbopack's. */
function hostByWebpack(): typeof drivenHost {
  const { build, folder, remove } = copyExample(hostFolder, ".webpack", [
    { file: "package.json", behind: "next build", put: " --webpack" },
    { file: "next.config.ts", behind: "import.meta.dirname", put: ' + "/.."' },
    // The types are checked by the other build.
    {
      file: "next.config.ts",
      behind: "default {",
      put: " typescript: { ignoreBuildErrors: true },",
    },
  ]);
  beforeAll(build, 300_000);
  afterAll(remove);
  return builtHost({ folder, basePath: "" });
}

describe.each([
  ["Turbopack", () => drivenHost],
  ["webpack", hostByWebpack],
])("server actions in Chromium, bundled by %s", (_bundler, hostBy) => {
  const shared = rows.sharedWorld(hostBy());
  const openPage = sharedWindows(shared);

  test("an action on a page whose session has ended is not run, and leads to login [AD-015]", async () => {
    const { page, console } = await openPage("/");
    await signIn(page);
    await page.goto("/act");
    await endSession(page);
    const back = page.waitForResponse((response) => response.url().includes("/callback?"));
    await page.getByRole("button", { name: "Act" }).click();
    await back;
    await page.waitForLoadState();
    expect(await actionsOf(shared())).toBe(0);
    expect(console).toEqual([]);
    await page.getByRole("button", { name: "Act" }).click();
    await page.getByText("Done by Ada Okafor").waitFor();
    expect(new URL(page.url()).pathname).toBe("/act");
  });

  test("an action of a public page leads to login if it requires a session [AD-015]", async () => {
    const { page, console } = await openPage("/public/settings");
    await page.getByRole("button", { name: "Set theme" }).click();
    await page.getByRole("button", { name: "Ada Okafor" }).click();
    await page.waitForURL("**/public/settings");
    expect(console).toEqual([]);
  });

  test("a session changed by an action is seen by the page in the same response, and by later pages [AD-042]", async () => {
    const { page, console } = await openPage("/");
    await signIn(page);
    await page.goto("/public/settings");
    const answered = page.waitForResponse((response) => response.request().method() === "POST");
    await page.getByRole("button", { name: "Set theme" }).click();
    await page.getByText('{"theme":"dark"}').waitFor();
    const headers = await (await answered).headersArray();
    const named = (wanted: string) =>
      headers.filter(({ name }) => name.toLowerCase() === wanted).map(({ value }) => value);
    expect(named("set-cookie")).toEqual([expect.stringMatching(/^appSession=/)]);
    // So the router of Next drops its cache.
    expect(named("x-action-revalidated")).toHaveLength(1);
    await page.reload();
    await page.getByText('{"theme":"dark"}').waitFor();
    expect(console).toEqual([]);
  });

  test.each([
    ["only reads the session", "Read theme", "undefined"],
    ["updates the session to what it is", "Keep theme", "Kept undefined"],
  ])("an action leaves the router cache as it was if it %s [AD-042]", async (_, button, done) => {
    const { page } = await openPage("/");
    await signIn(page);
    await page.goto("/public/settings");
    const answered = page.waitForResponse((response) => response.request().method() === "POST");
    await page.getByRole("button", { name: button }).click();
    const headers = await (await answered).allHeaders();
    expect(headers["x-action-revalidated"]).toBeUndefined();
    expect(headers["set-cookie"]).toBeUndefined();
    await page.locator("output", { hasText: done }).waitFor();
  });
});
