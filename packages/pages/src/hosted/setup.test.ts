import { parse } from "node-html-parser";
import { expect, test } from "vitest";

import { pages } from "./pages.ts";
import type { PagesSettings } from "./settings.ts";

const faults = [
  { option: "clientID", variable: "LATCHKEY_CLIENT_ID", message: "is required", remedy: "Set it." },
  { option: "secret", variable: "LATCHKEY_SECRET", message: "is too short", remedy: "Change it." },
  { option: "scope", variable: "LATCHKEY_SCOPE", message: "must contain openid", seen: "email" },
].map((fault) => ({ remedy: "Change it.", ...fault }));

async function rowsOf(settings: PagesSettings, engine: Readonly<Record<string, unknown>>) {
  const request = { method: "GET", url: "http://localhost:3000/", headers: new Headers() };
  const page = await pages(settings).setup(faults, engine, request);
  if (typeof page === "string") throw new Error("It has no policy.");
  const rows = parse(page.html).querySelectorAll("ul.settings > li");
  return {
    page,
    rows: Object.fromEntries(
      rows.map((row) => [row.querySelector("code")?.text, row.getAttribute("data-state")]),
    ),
  };
}

const engine = {
  baseURL: "http://ada:canary@localhost:3000",
  issuerBaseURL: "https://id.example.com",
  secret: "canary",
  clientSecret: undefined,
};

test("the set-up screen shows settings that were found, and no secret", async () => {
  const { page, rows } = await rowsOf({}, engine);
  expect(rows).toEqual({
    LATCHKEY_BASE_URL: "ok",
    LATCHKEY_ISSUER_BASE_URL: "ok",
    LATCHKEY_CLIENT_ID: "missing",
    LATCHKEY_CLIENT_SECRET: "ok",
    LATCHKEY_SECRET: "wrong",
    LATCHKEY_SCOPE: "wrong",
  });
  expect(page.html).toContain("<code>https://id.example.com</code>");
  expect(page.html).toContain("<code>http://localhost:3000</code>");
  expect(page.html).not.toContain("canary");
  expect(page.policy).toMatch(/^default-src 'none'; script-src 'self' 'sha256-/);
});

test("as a site of its own, every setting of the checklist has to be set", async () => {
  const { rows } = await rowsOf({ standalone: true }, engine);
  expect(rows["LATCHKEY_CLIENT_SECRET"]).toBe("missing");
});
