import { startCustomers } from "@latchkey/provider";
import { expect, test } from "vitest";

import { createBrowser } from "../../../../../packages/latchkey/test/browser/browser.ts";
import { builtForTests } from "../../serving/built-files.support.ts";
import { createHTTPServer, listen, type ServerOptions } from "../../serving/http-server.ts";
import { compose } from "../compose.ts";
import { createOutput } from "../log.ts";
import { noObservers } from "../running-app.support.ts";
import { readAppSettings } from "../settings/settings.ts";
import { createOperationState } from "./operation-state.ts";
import { createOperators } from "./operators.ts";

function settingsOf(name: string, issuer: string) {
  return {
    [`LATCHKEY_${name}ISSUER_BASE_URL`]: issuer,
    [`LATCHKEY_${name}CLIENT_ID`]: "app",
    [`LATCHKEY_${name}CLIENT_SECRET`]: "a client secret",
  };
}

/** An instance whose providers of `default` and `globex` do not listen, and that of `acme` does. */
async function startInstance() {
  const served: ServerOptions = { fetch: () => new Response(), headers: [] };
  const server = createHTTPServer(served);
  const origin = `http://localhost:${await listen(server, 0, "localhost")}`;
  const customers = await startCustomers(["acme"], { appURL: origin });
  const environment = {
    LATCHKEY_BASE_URL: origin,
    LATCHKEY_SECRET: "a-secret-of-more-than-thirty-two-characters",
    LATCHKEY_METRICS_TOKEN: "the-token-of-the-metrics",
    ...customers.variables,
    ...settingsOf("", "http://localhost:9"),
    ...settingsOf("CONNECTION_GLOBEX_", "http://127.0.0.1:9"),
    LATCHKEY_CONNECTIONS: "acme globex",
  };
  const { settings } = readAppSettings(environment);
  const state = createOperationState();
  const outputs = { output: createOutput(), logger: noObservers.logger };
  const { telemetry, apps } = createOperators(environment, settings, state, outputs);
  const composition = await compose(environment, builtForTests, "memory:", {
    ...noObservers,
    telemetry,
  });
  if (composition.auth === null) throw new TypeError("the settings are wrong");
  state.started(composition.auth);
  apps.own.all("*", ({ req, env }) => composition.fetch(req.raw, env));
  Object.assign(served, { ...composition, fetch: apps.own.fetch });
  return {
    origin,
    acme: customers.customers.acme,
    async readiness() {
      const response = await fetch(`${origin}/_auth/health/ready`);
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
    metrics: async () =>
      (
        await fetch(`${origin}/metrics`, {
          headers: { authorization: "Bearer the-token-of-the-metrics" },
        })
      ).text(),
    async close() {
      server.close();
      server.closeAllConnections();
      await composition.close();
      await customers.close();
    },
  };
}

test("an instance is ready while providers fail, names their connections, and makes no call for it [MX-063]", async () => {
  const { origin, acme, readiness, metrics, close } = await startInstance();
  const browser = createBrowser(origin);
  const { status, url } = await browser.signIn(
    "/api/auth/login/acme?returnTo=/account",
    "person-1",
  );
  expect([status, url.pathname]).toEqual([200, "/account"]);
  const reason = "provider_unreachable";
  await expect
    .poll(async () => (await readiness()).body["failing"])
    .toMatchObject([
      { connection: "default", issuer: "http://localhost:9", reason },
      { connection: "globex", issuer: "http://127.0.0.1:9", reason },
    ]);
  const calls = acme.requests.length;
  expect(await readiness()).toMatchObject({ status: 200, body: { status: "ready" } });
  const states = (await metrics())
    .split("\n")
    .filter((line) => line.startsWith("latchkey_provider_state"));
  expect(states.toSorted()).toEqual([
    'latchkey_provider_state{connection="acme"} 0',
    'latchkey_provider_state{connection="default"} 2',
    'latchkey_provider_state{connection="globex"} 2',
  ]);
  expect(acme.requests).toHaveLength(calls);
  expect((await browser.request("/account")).status).toBe(200);
  await close();
});
