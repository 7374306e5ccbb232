import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

import { atEnd } from "../at-end.ts";
import { createBrowser } from "../browser/browser.ts";
import { edgeOf } from "./edge.ts";
import { openRelayApp } from "./open-relay-app.ts";
import { production, startShop } from "./shop.ts";

const guide = new URL("../../../../docs/guides/hosts-and-previews.md", import.meta.url);

/** The rows of the guide: platform, address of a preview, pattern. */
async function recipes(): Promise<readonly (readonly [string, string, string])[]> {
  const rows = (await readFile(guide, "utf8")).matchAll(
    /^\| ([A-Z][\w ]+?|your own) +\| `(https:[^`]+)` +\| `(https:[^`]+)`/gmu,
  );
  return [...rows].map(([, name = "", preview = "", pattern = ""]) => [name, preview, pattern]);
}

test("the guide has the names of four platforms", async () => {
  const names = (await recipes()).map(([name]) => name);
  expect(names).toEqual([
    "Vercel",
    "Netlify",
    "Cloudflare Pages",
    "Cloudflare Workers",
    "your own",
  ]);
});

test.each(await recipes())("MX-086: a preview signs in at %s, %s", async (_, preview, pattern) => {
  const shop = await startShop({ preview, origins: [pattern] });
  const page = await shop.browser().signIn("/orders");
  expect([page.url.href, page.text]).toEqual([`${preview}/orders`, "a page of the app"]);
  expect((await shop.relay.facts()).calls).not.toContain("/token");
});

test("MX-086: a preview that finds its address in a list signs in, and so does the relay", async () => {
  const [, preview, pattern] = (await recipes())[3] ?? ["", "", ""];
  const shop = await startShop({ preview, origins: [pattern] });
  const [client] = shop.provider.clients;
  const settings = (secret: string) => ({
    baseURL: [production, pattern],
    options: {
      issuerBaseURL: shop.provider.issuer,
      clientID: client?.id ?? "",
      clientSecret: client?.secret ?? "",
      secret,
    },
    relay: { secret: "a-secret-of-the-list-0123456789", url: production, origins: [pattern] },
  });
  const apps = await Promise.all([
    openRelayApp(settings("the-secret-of-production-0123456789")),
    openRelayApp(settings("the-secret-of-the-preview-0123456789")),
  ]);
  for (const each of apps) atEnd(each.close);
  const edge = edgeOf({ [production]: apps[0].origin, [preview]: apps[1].origin });
  for (const at of [preview, production]) {
    const page = await createBrowser(at, edge).signIn("/orders");
    expect([page.url.href, page.text]).toEqual([`${at}/orders`, "a page of the app"]);
  }
});

test("MX-085: a customer's host of the same process signs in by the relay", async () => {
  const host = "https://shop.customer.example";
  const shop = await startShop({ preview: host, origins: [host] });
  const [client] = shop.provider.clients;
  const app = await openRelayApp({
    baseURL: [production, host],
    options: {
      issuerBaseURL: shop.provider.issuer,
      clientID: client?.id ?? "",
      clientSecret: client?.secret ?? "",
      secret: "the-secret-of-production-0123456789",
    },
    relay: { secret: "a-secret-of-the-hosts-0123456789", url: production, origins: [host] },
  });
  atEnd(app.close);
  const edge = edgeOf({ [production]: app.origin, [host]: app.origin });
  const browser = createBrowser(host, edge);
  const { address } = await browser.untilCallback("/api/auth/login?returnTo=/orders");
  expect(address.startsWith(`${production}/api/auth/callback?`)).toBe(true);
  const page = await browser.open(address);
  expect([page.url.href, page.text]).toEqual([`${host}/orders`, "a page of the app"]);
  expect(await browser.jar.getCookieString(production)).toBe("");
  const stranger = await browser.request("https://shop.customer.example/api/auth/login");
  expect(new URL(stranger.location).searchParams.get("redirect_uri")).toBe(
    `${production}/api/auth/callback`,
  );
});
