import { ConfigError, type Environment } from "latchkey";
import { parse } from "node-html-parser";
import { expect, test } from "vitest";

import { builtForTests } from "../serving/built-files.support.ts";
import { compose } from "./compose.ts";
import { noObservers } from "./running-app.support.ts";
import { createSetupHandler } from "./setup-app.ts";

async function faultsOf(environment: Environment) {
  const error: unknown = await compose(environment, builtForTests, "memory:", noObservers).catch(
    (it) => it,
  );
  if (!(error instanceof ConfigError)) throw new Error("It started.");
  return error.faults;
}

const half = {
  LATCHKEY_BASE_URL: "http://localhost:3000",
  LATCHKEY_ISSUER_BASE_URL: "not an address",
  LATCHKEY_SECRET: "secret",
  LATCHKEY_STORE: "cupboard",
  PORT: "many",
};

test("one error names every missing or wrong setting, with its variable", async () => {
  const variables = (await faultsOf(half)).map(({ variable }) => variable);
  expect(variables.toSorted()).toEqual([
    "LATCHKEY_CLIENT_ID",
    "LATCHKEY_CLIENT_SECRET",
    "LATCHKEY_ISSUER_BASE_URL",
    "LATCHKEY_SECRET",
    "LATCHKEY_STORE",
    "PORT",
  ]);
});

/** The rows of the checklist: state and texts, by variable. */
async function rowsOf(environment: Environment) {
  const handler = createSetupHandler(environment, await faultsOf(environment), builtForTests);
  const request = new Request("http://localhost:3000/", { headers: { accept: "text/html" } });
  const html = await (await handler(request)).text();
  const rows = parse(html).querySelectorAll("ul.settings > li");
  return {
    html,
    rows: rows.map((row) => ({
      variable: row.querySelector("code")?.text ?? "",
      state: row.getAttribute("data-state"),
      said: row.querySelectorAll('p[lang="en"]').map(({ text }) => text),
    })),
  };
}

test("the checklist shows which settings are ready, missing and wrong, and repeats no secret", async () => {
  const { html, rows } = await rowsOf({ ...half, LATCHKEY_CLIENT_SECRET: "canary-secret" });
  expect(Object.fromEntries(rows.map(({ variable, state }) => [variable, state]))).toEqual({
    LATCHKEY_BASE_URL: "ok",
    LATCHKEY_ISSUER_BASE_URL: "wrong",
    LATCHKEY_CLIENT_ID: "missing",
    LATCHKEY_CLIENT_SECRET: "ok",
    LATCHKEY_SECRET: "wrong",
    LATCHKEY_STORE: "wrong",
    PORT: "wrong",
  });
  expect(html).toContain("<code>http://localhost:3000</code>");
  expect(html).not.toContain("<code>secret</code>");
  expect(html).not.toContain("canary-secret");
  // Whole sentences.
  const said = rows.flatMap((row) => row.said.slice(0, 1));
  expect(said.filter((words) => !/^[A-Z][A-Z_]+ [a-z].*[^.]\.$/.test(words))).toEqual([]);
  expect(html).toContain("http://localhost:3000/api/auth/callback");
});

test("in development every page is the first-run page", async () => {
  const handler = createSetupHandler(half, await faultsOf(half), builtForTests);
  const request = (accept: string) =>
    new Request("http://localhost:3000/account", { headers: { accept } });
  const page = await handler(request("text/html"));
  expect(page.status).toBe(503);
  expect(page.headers.get("content-security-policy")).toContain("style-src 'sha256-");
  expect(await page.text()).toContain("<h1>Latchkey isn&#x27;t ready yet</h1>");
  expect(await (await handler(request("*/*"))).json()).toMatchObject({ error: "not_set_up" });
});

test("user info in an address is shown nowhere: it may hold a password", async () => {
  const environment = {
    ...half,
    LATCHKEY_BASE_URL: "http://ada:canary@localhost:3000",
    LATCHKEY_ISSUER_BASE_URL: "https://ada:canary@id.example.com",
    LATCHKEY_STORE: "redus://:canary@cache.example.com",
    PORT: "//ada:canary@8080",
  };
  const faults = await faultsOf(environment);
  const handler = createSetupHandler(environment, faults, builtForTests);
  for (const accept of ["text/html", "*/*"]) {
    const request = new Request("http://localhost:3000/", { headers: { accept } });
    expect(await (await handler(request)).text()).not.toContain("canary");
  }
  expect(new ConfigError(faults).message).not.toContain("canary");
});
