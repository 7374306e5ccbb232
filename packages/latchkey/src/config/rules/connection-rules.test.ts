import { expect, test } from "vitest";

import { faultsBy } from "../../../test/settings.ts";
import type { Settings } from "../settings.ts";

const acme = {
  issuerBaseURL: "https://id.acme.example",
  clientID: "latchkey",
  clientSecret: "secret-of-acme",
};

function faultsIn(connections: unknown, routes: Settings["routes"]) {
  return faultsBy({ identity: "issuer+sub", connections, routes });
}

test.each<[id: string, routes: Settings["routes"], address: string]>([
  ["acme", { callback: "/api/auth/callback/acme" }, "/api/auth/callback/acme"],
  ["acme", { callback: "/api/auth/login/acme" }, "/api/auth/login/acme"],
  ["acme", { callback: "/api/auth/backchannel-logout/acme" }, "/api/auth/backchannel-logout/acme"],
  ["acme", { login: "/api/auth/frontchannel-logout/acme" }, "/api/auth/frontchannel-logout/acme"],
  ["logout", { prefix: "/in", login: "/in" }, "/in/logout"],
])("connection %s is refused beside %j, among all other faults [MX-002]", (id, routes, address) => {
  expect(faultsIn({ [id]: acme, globex: { clientID: "x" } }, routes)).toEqual([
    "connections.globex.issuerBaseURL: is required",
    "connections.globex.clientSecret: is required for the clientAuthMethod client_secret_basic",
    `connections.${id}: has the address ${address}, which is that of another route`,
  ]);
});

test("a connection with the client of default may have the name in its callback [MX-002]", () => {
  const routes = { callback: "/api/auth/callback/acme" };
  expect(faultsIn({ acme: { uses: "default", maxAge: 60 } }, routes)).toEqual([]);
  expect(faultsIn({ acme: { ...acme, callback: "shared" } }, routes)).toEqual([]);
});
