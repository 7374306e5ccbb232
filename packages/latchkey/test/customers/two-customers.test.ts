import { startCustomers } from "@latchkey/provider";
import { expect, test } from "vitest";

import { authFromEnvironment } from "../../src/adapters/node.ts";
import { atEnd } from "../at-end.ts";
import { createBrowser } from "../browser/browser.ts";
import { listenerOf, startServer } from "../servers/server.ts";

/** An app whose settings are the variables that `latchkey provider --as acme,globex` prints. */
async function startApp() {
  const server = await startServer();
  atEnd(server.close);
  const customers = await startCustomers(["acme", "globex"], { appURL: server.origin });
  atEnd(() => customers.close());
  const variables = {
    ...customers.variables,
    LATCHKEY_BASE_URL: server.origin,
    LATCHKEY_SECRET: "a-secret-of-the-test-suite-0123456789abcdef",
    LATCHKEY_STORE: "memory:",
    LATCHKEY_BACKCHANNEL_LOGOUT: "true",
    LATCHKEY_CONNECTION_ACME_BACKCHANNEL_LOGOUT: "true",
    LATCHKEY_CONNECTION_GLOBEX_BACKCHANNEL_LOGOUT: "true",
  };
  const auth = authFromEnvironment(variables, { log: () => undefined });
  const page = (request: Request) => {
    const { user } = auth.of(request);
    return Response.json({ email: user?.["email"], sub: user?.["sub"] });
  };
  server.serve(listenerOf((request) => auth.respond(request, page)));
  return { ...customers, auth, browser: () => createBrowser(server.origin) };
}

test("MX-025 MX-033: one app signs users of two customers in, without an account anywhere", async () => {
  const app = await startApp();
  const [acme, globex] = [app.browser(), app.browser()];
  const atAcme = await acme.signIn("/api/auth/login/acme?returnTo=/who", "person-1");
  const atGlobex = await globex.signIn("/api/auth/login/globex?returnTo=/who", "person-1");
  expect([JSON.parse(atAcme.text), JSON.parse(atGlobex.text)]).toMatchObject([
    { email: "amara@acme.example", sub: "person-1" },
    { email: "goran@globex.example", sub: "person-1" },
  ]);
  for (const name of ["acme", "globex"] as const) {
    const { requests } = app.customers[name];
    expect(requests.filter(({ path }) => path === "/token").map(({ status }) => status)).toEqual([
      200,
    ]);
  }
});

test("MX-053: a customer's provider ends the sessions of its own users alone", async () => {
  const app = await startApp();
  const [acme, globex] = [app.browser(), app.browser()];
  await acme.signIn("/api/auth/login/acme", "person-1");
  await globex.signIn("/api/auth/login/globex", "person-1");
  expect(await app.customers.acme.endSessions("person-1")).toMatchObject([
    { clientID: "latchkey-acme", status: 204 },
  ]);
  expect((await acme.request("/api/auth/me")).status).toBe(204);
  expect((await globex.request("/api/auth/me")).status).toBe(200);
});
