import { describe, expect, test } from "vitest";

import { lookUp } from "../../src/connections/index.ts";
import { buttonsOf, callsOf, finish, inTab, press, providerOf } from "./chooser-page.ts";
import { settingsAt, signIn, startTwoProviders } from "./two-providers.ts";

describe("a sign-in that another site starts", () => {
  test("of an unknown issuer is refused without a call [MX-073]", async () => {
    const world = await startTwoProviders();
    const { issuer } = world.first;
    const refused = [
      { iss: "https://evil.example" },
      { iss: `${issuer}/` },
      { iss: issuer, client_id: "another-client" },
    ];
    for (const fields of refused) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const answer = await world
        .browser()
        .request(`/api/auth/login?${new URLSearchParams(fields)}`);
      expect(answer.status).toBe(400);
      expect(world.problems.at(-1)?.reason).toBe("foreign_issuer");
    }
    expect(callsOf(world)).toBe(0);
  });

  test("of an issuer that is not offered at this host is refused without a call [MX-073]", async () => {
    const world = await startTwoProviders({ globex: { hosts: ["other.example.com"] } });
    const iss = encodeURIComponent(world.second.issuer);
    expect(await world.browser().request(`/api/auth/login?iss=${iss}`)).toMatchObject({
      status: 400,
    });
    expect(callsOf(world)).toBe(0);
  });

  test("is confirmed by the user first, and keeps what it brought [MX-074]", async () => {
    const world = await startTwoProviders({ globex: { label: "Globex", loginParams: ["tenant"] } });
    const browser = world.browser();
    const query = new URLSearchParams({
      iss: world.second.issuer,
      login_hint: "ada@globex.example",
      target_link_uri: `${world.baseURL}/reports`,
      tenant: "t1",
      domain_hint: "globex.example",
    });
    const asked = await browser.request(`/api/auth/login?${query}`, { headers: inTab });
    expect([asked.status, asked.headers.getSetCookie(), callsOf(world)]).toEqual([200, [], 0]);
    expect(asked.text).toContain("Another site asked to sign you in with Globex.");
    expect(buttonsOf(asked)).toEqual(["globex*"]);
    const begun = await press(browser, asked, "globex");
    const sent = new URL(begun.location).searchParams;
    expect(providerOf(world, begun)).toBe("globex");
    // Only what the settings of the connection allow is passed on [MX-075].
    expect(Object.fromEntries(sent)).toMatchObject({
      login_hint: "ada@globex.example",
      tenant: "t1",
    });
    expect(sent.has("domain_hint")).toBe(false);
    expect(await finish(world, browser, begun)).toMatchObject({
      location: `${world.baseURL}/reports`,
    });
  });

  test("begins at once where this browser has signed in before, and never in a frame [MX-074]", async () => {
    const world = await startTwoProviders();
    const browser = world.browser();
    await signIn(world, browser, "/api/auth/login/globex");
    const address = `/api/auth/login?iss=${encodeURIComponent(world.second.issuer)}`;
    expect(providerOf(world, await browser.request(address, { headers: inTab }))).toBe("globex");
    const framed = { headers: { ...inTab, "sec-fetch-dest": "iframe" } };
    for (const headers of [framed.headers, { "sec-purpose": "prefetch" }]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const answer = await browser.request(address, { headers });
      expect([providerOf(world, answer), answer.headers.getSetCookie()]).toEqual(["none", []]);
    }
    const other = `/api/auth/login?iss=${encodeURIComponent(world.first.issuer)}`;
    const asked = await browser.request(other, { headers: inTab });
    expect(buttonsOf(asked)).toEqual(["default*"]);
    // The live session stays until another one is complete.
    expect(await browser.request("/api/auth/me")).toMatchObject({ status: 200 });
  });

  test("at an issuer of several clients is for that of client_id, else the user chooses [MX-073]", async () => {
    const world = await startTwoProviders();
    const acme = { ...settingsAt(world.second), clientID: "acme-client" };
    world.serve({ connections: { globex: settingsAt(world.second), acme } });
    const iss = world.second.issuer;
    const ask = (fields: Record<string, string>) =>
      world.browser().request(`/api/auth/login?${new URLSearchParams({ iss, ...fields })}`);
    expect(buttonsOf(await ask({}))).toEqual(["globex*", "acme"]);
    expect(buttonsOf(await ask({ client_id: "acme-client" }))).toEqual(["acme*"]);
  });

  test("at an issuer of a customer in a table is confirmed, too [MX-073, MX-074]", async () => {
    const world = await startTwoProviders();
    const iss = world.second.issuer;
    const acme = { ...settingsAt(world.second), label: "Acme" };
    const connections = lookUp({
      byID: (id) => (id === "acme" ? acme : null),
      byIssuer: (issuer) => (issuer === iss ? "acme" : null),
      issuers: () => true,
    });
    world.serve({ connections });
    const browser = world.browser();
    const asked = await browser.request(`/api/auth/login?iss=${encodeURIComponent(iss)}`);
    expect(buttonsOf(asked)).toEqual(["acme*"]);
    expect(providerOf(world, await press(browser, asked, "acme"))).toBe("globex");
    const stranger = await browser.request("/api/auth/login?iss=https%3A%2F%2Fevil.example");
    expect(stranger.status).toBe(400);
  });
});
