import { Hono } from "hono";
import { expect, test } from "vitest";

import { assetsForTests } from "../rendering/page-assets.support.ts";
import { addGallery } from "./gallery-app.ts";

const address = "https://app.example.com/shop";
const app = new Hono();
addGallery(app, {
  context: {
    site: {
      app: "Harbour",
      baseURL: address,
      host: "app.example.com",
      root: "/shop",
      homeURL: `${address}/`,
      links: [],
      loginURL: `${address}/login`,
      logoutURL: `${address}/logout`,
      pictureSources: [],
      development: true,
    },
    assets: assetsForTests,
    paths: { login: "", logout: "", me: "", session: "", events: "", pages: "" },
    isLive: false,
  },
  names: { app: "Harbour", provider: "Example ID", host: "app.example.com" },
  brand: { colors: {} },
  prefix: "/_auth/gallery",
  files: { style: "h3{color:inherit}", script: "void 1" },
});

async function get(
  path: string,
  query: Readonly<Record<string, string>> = {},
  headers: Readonly<Record<string, string>> = {},
) {
  const response = await app.request(`${path}?${new URLSearchParams(query)}`, { headers });
  const policy = response.headers.get("content-security-policy") ?? "";
  return { html: await response.text(), policy, status: response.status };
}

const hostile = `"><script>alert(1)</script>`;
const fields = ["name", "accent", "radius", "logo", "lang", "scheme"];

test("no value of the query becomes markup", async () => {
  const query = Object.fromEntries(fields.map((field) => [field, hostile]));
  const [bench, state] = await Promise.all([
    get("/_auth/gallery", query),
    get("/_auth/gallery/home-arrived", query),
  ]);
  expect([bench.status, state.status]).toEqual([200, 200]);
  expect(bench.html).toContain("&lt;script");
  for (const { html } of [bench, state]) expect(html).not.toContain("<script>alert");
});

test("every state has the values of the bench, and a policy for its style", async () => {
  const query = { name: "Acme", accent: "#7a1f5c", radius: "0", scheme: "dark" };
  const { html } = await get("/_auth/gallery", query);
  const [, frame = ""] = /<iframe [^>]*src="\/shop([^"]*home-arrived[^"]*)"/.exec(html) ?? [];
  const [path = "", search = ""] = frame.replaceAll("&amp;", "&").split("?");
  const state = await get(path, Object.fromEntries(new URLSearchParams(search)));
  expect(state.html).toContain("Sign in to Acme");
  expect(state.html).toContain("--accent:light-dark(#7a1f5c,");
  expect(state.html).toContain(`<html data-theme="dark" `);
  const [, style = ""] = /<style>(.*?)<\/style>/s.exec(state.html) ?? [];
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(style));
  const base64 = btoa(String.fromCharCode(...new Uint8Array(hash)));
  expect(state.policy).toContain(`'sha256-${base64}'`);
  expect(state.policy).toContain("frame-ancestors 'self'");
});

test("links and forms of a state lead nowhere in a frame", async () => {
  const account = "/_auth/gallery/account-usual";
  const alone = await get(account);
  expect(alone.html).toContain(`href="/shop/devices"`);
  const framed = await get(account, {}, { "sec-fetch-dest": "iframe" });
  const targets = framed.html.matchAll(/<(?:a|form)\b[^>]*? (?:href|action)="([^"]*)"/g);
  expect(Array.from(targets, ([, target]) => target).filter((it) => !it?.startsWith("#"))).toEqual(
    [],
  );
});

test("the settings are code and variables, whatever the name is", async () => {
  const { html } = await get("/_auth/gallery", { name: `O'Neill "& Co"` });
  const text = html.replaceAll("&quot;", `"`).replaceAll("&#x27;", "'").replaceAll("&amp;", "&");
  expect(text).toContain(`name: "O'Neill \\"& Co\\"",`);
  expect(text).toContain(String.raw`LATCHKEY_APP_NAME='O'\''Neill "& Co"'`);
});
