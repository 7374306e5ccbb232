import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, onTestFinished, test } from "vitest";

import { goodVariables } from "../../../test/settings.ts";
import type { Auth } from "../../host/auth.ts";
import type { LogEvent } from "../../telemetry/log-event.ts";
import { ConfigError } from "../../errors/config-error.ts";
import { memoryStore } from "../../stores/memory.ts";
import { sqliteStore } from "../../stores/sqlite.ts";
import {
  authFromEnvironment,
  type GivenOptions,
  optionsWithStore,
} from "./auth-from-environment.ts";

const complete = { ...goodVariables, LATCHKEY_STORE: "memory:", NODE_ENV: "development" };

const opened: Auth[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((auth) => auth.close()));
});

function authFor(environment: Record<string, string>, given: GivenOptions = {}) {
  const events: LogEvent[] = [];
  const auth = authFromEnvironment(environment, { log: (event) => events.push(event), ...given });
  opened.push(auth);
  const warnings = () => events.flatMap((event) => ("message" in event ? [event.message] : []));
  return { auth, warnings };
}

async function faultsOf(auth: Auth): Promise<readonly string[]> {
  const error: unknown = await auth.ready().catch((reason: unknown) => reason);
  if (!(error instanceof ConfigError)) throw new Error("It is ready.");
  return error.faults.map(({ variable }) => variable);
}

test("authFromEnvironment() is ready with a store and five settings", async () => {
  const { auth, warnings } = authFor({ PATH: "/bin", ...complete });
  await auth.ready();
  expect(auth.config.clientID).toBe("client");
  expect(warnings()).toEqual([]);
});

test("authFromEnvironment() checks no setting when it is called, so a build can import it", async () => {
  const { auth } = authFor({ LATCHKEY_STORE: "memory:" });
  expect(await faultsOf(auth)).toContain("LATCHKEY_SECRET");
});

test("authFromEnvironment() names the Node option for a file of variables if no variable is set", async () => {
  const { auth, warnings } = authFor({ PATH: "/bin" });
  await faultsOf(auth);
  const message = /Next\.js reads .* beside package\.json; .* node --env-file=\.env\.local/;
  expect(warnings()).toEqual([expect.stringMatching(message)]);
});

test("authFromEnvironment() does not name a file of variables to an app with its provider in code", async () => {
  const { auth, warnings } = authFor({}, { issuerBaseURL: "https://op.example" });
  await faultsOf(auth);
  expect(warnings()).toEqual([]);
});

test("authFromEnvironment() reports the faults of the settings together with the fault of the store", async () => {
  const { auth } = authFor({ ...complete, LATCHKEY_SCOPE: "email", LATCHKEY_STORE: "cupboard" });
  expect(await faultsOf(auth)).toEqual(["LATCHKEY_SCOPE", "LATCHKEY_STORE"]);
});

test("authFromEnvironment() opens no store before it is needed", () => {
  const { store } = optionsWithStore({ ...complete, LATCHKEY_STORE: "cupboard" });
  expect(store).toBeTypeOf("function");
  expect(optionsWithStore({ ...complete, LATCHKEY_STORE: "" }).store).toBeUndefined();
});

test("authFromEnvironment() prefers the options of the app, a store included", async () => {
  const store = memoryStore();
  const { auth } = authFor(
    { ...complete, LATCHKEY_STORE: "cupboard" },
    { store, clientID: "another", backchannelLogout: true },
  );
  await auth.ready();
  expect(auth.config).toMatchObject({ clientID: "another", backchannelLogout: true });
});

test("an option inside a group takes the place of its own variable only", async () => {
  const variables = {
    LATCHKEY_SESSION_NAME: "shop",
    LATCHKEY_SESSION_COOKIE_DOMAIN: "app.example",
    LATCHKEY_TRANSACTION_COOKIE_NAME: "pending",
    LATCHKEY_ROUTES_CALLBACK: "/callback",
    LATCHKEY_AUTHORIZATION_PARAMS: "audience=https://api.example&prompt=login",
  };
  const { auth } = authFor(
    { ...complete, ...variables },
    {
      session: { rolling: false, cookie: { sameSite: "none" } },
      transactionCookie: { sameSite: "none" },
      routes: { postLogoutRedirect: "/bye" },
      authorizationParams: { prompt: "consent" },
    },
  );
  await auth.ready();
  expect(auth.config).toMatchObject({
    session: { name: "shop", cookie: { domain: "app.example", sameSite: "none" } },
    transactionCookie: { name: "pending", attributes: { sameSite: "none" } },
    routes: { callback: "/callback", postLogoutRedirect: "/bye" },
    authorizationParams: { audience: "https://api.example", prompt: "consent" },
  });
});

test.each([
  [{ session: true }, "session"],
  [{ session: { cookie: "lax" } }, "session.cookie"],
  [{ transactionCookie: "lax" }, "transactionCookie"],
  [{ routes: "/auth" }, "routes"],
  [{ authorizationParams: "audience=x" }, "authorizationParams"],
])("%j in place of a group is one fault, which names %s", async (given, option) => {
  const { auth } = authFor(complete, given as unknown as GivenOptions);
  await expect(auth.ready()).rejects.toMatchObject({ faults: [{ option }] });
});

test("authFromEnvironment() opens the store of the environment if the app passes undefined", () => {
  expect(optionsWithStore(complete, { store: undefined }).store).toBeTypeOf("function");
});

test("authFromEnvironment() warns of a misspelt variable in the log, and not of a variable of the app", async () => {
  const { auth, warnings } = authFor(
    { ...complete, LATCHKEY_SCOEP: "openid", LATCHKEY_APP_NAME: "Shop" },
    { knownVariables: ["LATCHKEY_APP_NAME"] },
  );
  await auth.ready();
  expect(warnings()).toEqual([expect.stringContaining("Did you mean LATCHKEY_SCOPE?")]);
});

test.each([
  ["sqlite:.data/never-opened.db", "is for one machine", "a store that all of them reach"],
  ["shared-memory:", "is not the address of a store", "redis:"],
])(
  "several instances are refused with the store %s, which %s [OP-068]",
  async (LATCHKEY_STORE, message, remedy) => {
    const several = authFor({ ...complete, LATCHKEY_STORE, LATCHKEY_INSTANCES: "2" });
    const error: unknown = await several.auth.ready().catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      faults: [
        {
          option: "store",
          variable: "LATCHKEY_STORE",
          message: expect.stringContaining(message) as string,
          remedy: expect.stringContaining(remedy) as string,
        },
      ],
    });
  },
);

test("authFromEnvironment() creates no file for a store which several instances must not have", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "latchkey-refused-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, "store.db");
  const store = { LATCHKEY_STORE: `sqlite:${file}`, LATCHKEY_INSTANCES: "2" };
  expect(await faultsOf(authFor({ ...complete, ...store }).auth)).toEqual(["LATCHKEY_STORE"]);
  expect(existsSync(file)).toBe(false);
});

test("authFromEnvironment() rejects a local store of the app for several instances [OP-068]", async () => {
  const several = { ...complete, LATCHKEY_INSTANCES: "2" };
  for (const store of [memoryStore(), () => sqliteStore(":memory:")]) {
    expect(await faultsOf(authFor(several, { store }).auth)).toEqual(["LATCHKEY_STORE"]);
  }
  await authFor(several, { store: { ...memoryStore(), kind: "redis" } }).auth.ready();
});

test("authFromEnvironment() watches the files of secrets, if there are any", () => {
  expect(optionsWithStore(complete).watchSecrets).toBeUndefined();
  const { watchSecrets } = optionsWithStore({ ...complete, LATCHKEY_SECRET_FILE: "/nowhere" });
  expect(watchSecrets).toBeTypeOf("function");
});

test("one instance may have any store, and a number of instances is checked", async () => {
  await authFor({ ...complete, LATCHKEY_INSTANCES: "1" }).auth.ready();
  const wrong = authFor({ ...complete, LATCHKEY_INSTANCES: "some" });
  expect(await faultsOf(wrong.auth)).toEqual(["LATCHKEY_INSTANCES"]);
});
