import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createProviderBrowser } from "../../../test/browser.ts";
import {
  authorizationRequest,
  clientOf,
  exchange,
  jwks,
  tokenRequest,
  tokensOf,
  verifyToken,
} from "../../../test/sign-in.ts";
import type { RunningCustomers } from "../../index.ts";
import { startCustomers } from "../../index.ts";

let running: RunningCustomers<"acme" | "globex-eu">;

beforeAll(async () => {
  running = await startCustomers(["acme", "globex-eu"], { appURL: "http://localhost:3999/shop/" });
});

afterAll(() => running.close());

describe("a local provider that plays several customers", () => {
  it("has an issuer below one host for each, with its own keys and client", async () => {
    const { acme, "globex-eu": globex } = running.customers;
    expect([acme.issuer, globex.issuer]).toEqual([
      `${running.url}/acme`,
      `${running.url}/globex-eu`,
    ]);
    for (const { issuer } of [acme, globex]) {
      const metadata: unknown = await (
        await fetch(`${issuer}/.well-known/openid-configuration`)
      ).json();
      expect(metadata).toMatchObject({ issuer, token_endpoint: `${issuer}/token` });
    }
    expect(await jwks(acme)).not.toEqual(await jwks(globex));
    expect(acme.clients[0]?.secret).not.toBe(globex.clients[0]?.secret);
    const stranger = await tokenRequest(
      acme,
      { grant_type: "refresh_token" },
      { client: clientOf(globex) },
    );
    expect(await tokensOf(stranger)).toMatchObject({ error: "invalid_client" });
  });

  it("signs one browser in as a user of each, whose `sub` is the same", async () => {
    const { acme, "globex-eu": globex } = running.customers;
    const browser = createProviderBrowser(running.url);
    const names: unknown[] = [];
    for (const issuer of [acme, globex]) {
      const asked = authorizationRequest(issuer);
      const page = await browser.open(asked.url);
      const stop = await browser.press(page, "person", "person-1");
      const { claims } = await verifyToken(
        issuer,
        (await exchange(issuer, { stop, ...asked })).id_token,
      );
      expect(claims).toMatchObject({ iss: issuer.issuer, sub: "person-1" });
      names.push(claims["email"]);
    }
    expect(names).toEqual(["amara@acme.example", "goran@globex-eu.example"]);
    // Both sessions live on: none took the cookie of the other.
    for (const issuer of [acme, globex]) {
      const again = await browser.open(authorizationRequest(issuer).url);
      expect(again.url.searchParams.has("code")).toBe(true);
      const ended = await browser.open(`${issuer.url}/session/end`);
      expect(ended.text).toContain("Nobody is signed in");
    }
  });

  it("keeps the sessions of its own issuer apart from those of customers", async () => {
    const browser = createProviderBrowser(running.url);
    const page = await browser.open(authorizationRequest(running).url);
    await browser.press(page, "person", "person-ada");
    const atCustomer = await browser.open(authorizationRequest(running.customers.acme).url);
    expect(atCustomer.text).toContain("Amara Lindqvist");
    expect(atCustomer.text).not.toContain("Signed in here");
    const again = await browser.open(authorizationRequest(running).url);
    expect(again.url.searchParams.has("code")).toBe(true);
  });

  it("names its customer on each page, and all customers at its root", async () => {
    const { acme } = running.customers;
    const browser = createProviderBrowser(running.url);
    const customer = /<p class="customer"><bdi>([^<]*)<\/bdi>/u;
    for (const address of [acme.url, authorizationRequest(acme).url, `${acme.url}/nowhere`]) {
      expect(customer.exec((await browser.open(address)).text)?.[1]).toBe("Acme");
    }
    const front = await browser.open(running.url);
    expect(front.text).toContain("<bdi>Globex Eu</bdi>");
    expect(front.text).toContain(`<a href="${acme.url}"`);
    expect(front.text).not.toContain('class="customer"');
    expect((await browser.open(`${running.url}/stranger/auth`)).status).toBe(404);
  });

  it("lets the application know what to set, as an object and as variables", () => {
    const acme = {
      issuerBaseURL: `${running.url}/acme`,
      clientID: "latchkey-acme",
      clientSecret: running.customers.acme.clients[0]?.secret,
      label: "Acme",
      domains: ["acme.example"],
    };
    expect(running.connections.acme).toEqual(acme);
    expect(running.variables).toMatchObject({
      LATCHKEY_ISSUER_BASE_URL: running.issuer,
      LATCHKEY_CLIENT_ID: "latchkey",
      LATCHKEY_LABEL: "the local provider",
      LATCHKEY_CONNECTIONS: "acme globex-eu",
      LATCHKEY_IDENTITY: "issuer+sub",
      LATCHKEY_CONNECTION_ACME_CLIENT_ID: "latchkey-acme",
      LATCHKEY_CONNECTION_GLOBEX_EU_ISSUER_BASE_URL: `${running.url}/globex-eu`,
    });
    expect(running.customers.acme.clients[0]).toMatchObject({
      redirectURIs: ["http://localhost:3999/shop/api/auth/callback/acme"],
      backchannelLogoutURI: "http://localhost:3999/shop/api/auth/backchannel-logout/acme",
    });
  });

  it.each(["Acme", "default", "-a", "a/b", ""])("refuses %j as a customer", async (name) => {
    await expect(startCustomers([name])).rejects.toThrow("cannot be a customer");
  });

  it("refuses two customers of one name", async () => {
    await expect(startCustomers(["acme", "acme"])).rejects.toThrow('"acme" is named twice');
  });

  it("answers a request for another host by 421, also at its root", async () => {
    const status = await new Promise((resolve) => {
      request(running.url, { headers: { host: "evil.example" } }, ({ statusCode }) =>
        resolve(statusCode),
      ).end();
    });
    expect(status).toBe(421);
  });
});

it("the clients of an app with several base URLs have the addresses of each, but for stars", async () => {
  const appURL = [
    "http://one.localhost:3999",
    "http://two.localhost:3999/",
    "http://*.a.localhost",
  ];
  const several = await startCustomers(["acme"], { appURL, routesPrefix: "/auth" });
  const [own] = several.clients;
  const [ofAcme] = several.customers.acme.clients;
  await several.close();
  expect(own?.redirectURIs).toEqual([
    "http://one.localhost:3999/auth/callback",
    "http://two.localhost:3999/auth/callback",
  ]);
  expect(ofAcme?.redirectURIs).toEqual([
    "http://one.localhost:3999/auth/callback/acme",
    "http://two.localhost:3999/auth/callback/acme",
  ]);
  expect(ofAcme?.postLogoutRedirectURIs).toContain("http://two.localhost:3999/_auth/signed-out");
  expect(own?.initiateLoginURI).toBe("http://one.localhost:3999/auth/login");
});
