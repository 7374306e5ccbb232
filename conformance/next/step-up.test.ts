import { describe, expect, test } from "vitest";

import {
  choosePerson,
  expectText,
  sharedChromium,
  untilHydrated,
} from "../suite/browser-window.ts";
import { script } from "../suite/expectations.ts";
import { sharedWorld } from "../suite/world.ts";

/** The provider sets `acr` to `mfa` only on request. */
describe("a better sign-in required by a rule", () => {
  const world = sharedWorld();
  const newWindow = sharedChromium();

  /** A window of a user without a second factor. */
  async function signedInWindow(path: string) {
    const window = await newWindow();
    await window.page.goto(`${world().baseURL}/api/auth/login?returnTo=${path}`);
    await choosePerson(window.page);
    await window.page.waitForURL(`${world().baseURL}${path}`);
    await untilHydrated(window.page);
    return window;
  }

  test("a page whose component requires it leads there and back [AD-030]", async () => {
    const { page, complaints } = await signedInWindow("/public/links");
    await page.goto(`${world().baseURL}/public/vault?tab=2`);
    await choosePerson(page);
    await expectText(page, "Vault of Ada Okafor");
    expect([page.url(), complaints]).toEqual([`${world().baseURL}/public/vault?tab=2`, []]);
  });

  test("a link to such a page leads there and back, and the console stays empty [AD-013]", async () => {
    const { page, complaints } = await signedInWindow("/public/links");
    await page.getByRole("link", { name: "Vault" }).click();
    await choosePerson(page);
    await expectText(page, "Vault of Ada Okafor");
    expect([page.url(), complaints]).toEqual([`${world().baseURL}/public/vault`, []]);
  });

  test("an action that requires it leads there and back to its page, and then does its work [AD-015]", async () => {
    const { page, complaints } = await signedInWindow("/public/settings");
    await page.getByRole("button", { name: "Second factor" }).click();
    await choosePerson(page);
    await page.waitForURL(`${world().baseURL}/public/settings`);
    await untilHydrated(page);
    await page.getByRole("button", { name: "Second factor" }).click();
    await expectText(page, "Second factor of Ada Okafor");
    expect(complaints).toEqual([]);
  });

  test("a form posted to a route handler waits for it, and is offered again [AD-030]", async () => {
    const { page, complaints } = await signedInWindow("/public/transfer");
    await page.locator("input").fill("7");
    await page.getByRole("button", { name: "Transfer" }).click();
    await choosePerson(page);
    await expectText(page, "Your form has not been sent yet");
    await page.getByRole("button", { name: "Send" }).click();
    await expectText(page, "Ada Okafor has transferred 7");
    expect(complaints).toEqual([]);
  });

  test("a script gets the challenge of RFC 9470 [AD-030]", async () => {
    const cookie = await (await world().signedIn()).cookies();
    const asked = await world().send({
      method: "POST",
      target: "/public/transfer/send",
      headers: { ...script, cookie },
    });
    expect([asked.status, asked.header("www-authenticate")]).toEqual([
      401,
      expect.stringContaining('error="insufficient_user_authentication"'),
    ]);
  });
});
