import { expect, test } from "vitest";

import { goodSettings } from "../../test/settings.ts";
import { api } from "../api/index.ts";
import { createAuth, type Options } from "./auth.ts";
import { ConfigError } from "../errors/config-error.ts";
import { nextjsAuth0 } from "../moving/index.ts";
import { tokenExchange } from "../token-exchange/index.ts";
import { memoryStore } from "../stores/memory.ts";

/**
 * What `ready()` says of options as JavaScript may give them; what was opened can be closed all the
 * same.
 */
async function faultsOf(given: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
  const options = { ...goodSettings, log: () => undefined, ...given } as Options;
  const auth = createAuth(options);
  const error: unknown = await auth.ready().catch((reason: unknown) => reason);
  await auth.close();
  if (!(error instanceof ConfigError)) return [];
  return error.faults.map(({ option, message, remedy }) => `${option} ${message}. ${remedy}`);
}

test.each(["renderProblem", "renderSignedOut", "renderKeptForm", "watchSecrets", "waitUntil"])(
  "%s stops the start if it is no function",
  async (name) => {
    const fault = `${name} must be a function. Change it, or leave it out.`;
    expect(await faultsOf({ [name]: "text" })).toEqual([fault]);
  },
);

test.each(["log", "fetch", "clock", "random"])("%s does so if it is no function", async (name) => {
  expect(await faultsOf({ [name]: {} })).toEqual([
    expect.stringContaining(`${name} must be a function`),
  ]);
});

test.each([
  ["the address of a store", "sqlite:store.db"],
  ["an object that is none", new Map()],
  ["a function that returns none", () => new Map()],
])("%s in the place of a store stops the start", async (_, store) => {
  expect(await faultsOf({ store })).toEqual([expect.stringContaining("openStore")]);
});

test("a misspelt hook stops the start, since it would never be called", async () => {
  const hooks = { afterCalback: () => undefined, beforeSave: "text", onLogin: () => undefined };
  expect(await faultsOf({ hooks })).toEqual([
    "hooks.beforeSave must be a function. Change it, or leave it out.",
    "hooks.afterCalback is not an option. Did you mean afterCallback?",
    "hooks.onLogin is not an option. Remove it.",
  ]);
});

test.each([
  ["its options", { form: "rfc8693" }],
  ["null", null],
  ["the function itself", () => 1],
])("%s in the place of a token exchange stops the start", async (_, given) => {
  expect(await faultsOf({ tokenExchange: given })).toEqual([
    expect.stringContaining("tokenExchange must be made by tokenExchange() of latchkey/token"),
  ]);
});

test("a token exchange starts", async () => {
  expect(await faultsOf({ tokenExchange: tokenExchange({ form: "entra" }) })).toEqual([]);
});

test("parts are reported together with the faults of the settings", async () => {
  expect(await faultsOf({ scope: "email", clock: 1 })).toHaveLength(2);
});

test("a store starts, and so does a function which opens one", async () => {
  expect(await faultsOf({ store: memoryStore() })).toEqual([]);
  expect(await faultsOf({ store: () => memoryStore(), hooks: {} })).toEqual([]);
});

test.each(["api", "formerSessions", "inspector", "pages", "tokenExchange"])(
  "a number, an object and another part in the place of %s stop the start",
  async (name) => {
    const another = name === "api" ? tokenExchange({ form: "entra" }) : api({ audience: "a" });
    for (const given of [7, { name }, another]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await faultsOf({ [name]: given })).toEqual([
        expect.stringMatching(new RegExp(`^${name} must be made by .+ Change it, or leave it out`)),
      ]);
    }
  },
);

test("faults of settings, functions, hooks, rules and several parts are reported at once", async () => {
  const given = {
    scope: "email",
    clock: 1,
    hooks: { beforeSave: 1 },
    accessRules: { admin: { scope: "a" } },
    api: api({ audience: "", profil: "okta" } as never),
    tokenExchange: tokenExchange({} as never),
    formerSessions: nextjsAuth0({ secret: "s", until: "x" }),
  };
  const names = (await faultsOf(given)).map((fault) => fault.split(" ", 1)[0]);
  expect(names.toSorted()).toEqual([
    'accessRules["admin"]',
    "api.audience",
    "api.profil",
    "clock",
    "formerSessions.until",
    "hooks.beforeSave",
    "scope",
    "tokenExchange.form",
  ]);
});
