import express from "express";
import { describe, expect, test } from "vitest";

import { latchkey } from "../../src/adapters/express.ts";
import { lookUp } from "../../src/connections/index.ts";
import { createAuth } from "../../src/index.ts";
import { atEnd } from "../at-end.ts";
import { createBrowser, isSignedIn } from "../browser/browser.ts";
import { startServer } from "../servers/server.ts";
import { buttonsOf, byScript, finish, inTab, providerOf } from "./chooser-page.ts";
import { settingsAt, signIn, startTwoProviders } from "./two-providers.ts";

const logins = { default: "/api/auth/login/default", globex: "/api/auth/login/globex" } as const;
const accessRules = { "/globex": { connection: "globex" } } as const;
const html = { ...inTab, accept: "text/html" };

describe("a rule with a connection", () => {
  test("leads a user of another one to a sign-in there, which ends the former session when it is complete [MX-078]", async () => {
    const world = await startTwoProviders({ options: { accessRules } });
    const browser = world.browser();
    await signIn(world, browser, logins.default);
    const led = await browser.request("/globex/reports?year=2026", { headers: html });
    expect(led.status).toBe(302);
    expect(led.location).toBe(
      `${world.baseURL}${logins.globex}?returnTo=%2Fglobex%2Freports%3Fyear%3D2026`,
    );
    const begun = await browser.request(led.location);
    expect(providerOf(world, begun)).toBe("globex");
    expect(await isSignedIn(browser)).toBe(true);
    const finished = await finish(world, browser, begun);
    expect(finished.location).toBe(`${world.baseURL}/globex/reports?year=2026`);
    expect(await browser.request(finished.location, { headers: html })).toMatchObject({
      status: 200,
    });
    expect(world.events.filter(({ event }) => event === "sign-out")).toMatchObject([
      { reason: "replaced" },
    ]);
  });

  test("answers a script of another one 403, with the part that does not hold [MX-078]", async () => {
    const world = await startTwoProviders({ options: { accessRules } });
    const browser = world.browser();
    await signIn(world, browser, logins.default);
    const answer = await browser.request("/globex/", {
      headers: { ...byScript, accept: "application/json" },
    });
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.text)).toMatchObject({
      error: "ERR_FORBIDDEN",
      description: "The user may not do this. It needs a sign-in with globex.",
      unmet: [{ part: "connection", required: ["globex"] }],
    });
    expect(world.events).toContainEqual(
      expect.objectContaining({ detail: "connection globex (the user has default)" }),
    );
  });

  test("leads a visitor to a sign-in there [MX-078]", async () => {
    const world = await startTwoProviders({ options: { accessRules } });
    const led = await world.browser().request("/globex/", { headers: html });
    expect(new URL(led.location).pathname).toBe(logins.globex);
  });
});

describe("of several connections", () => {
  test("the user chooses among those of the rule [MX-078]", async () => {
    const more = { acme: { ...settingsOfOther, hidden: true } };
    const world = await startTwoProviders({
      more,
      options: { accessRules: { "/both": { connection: ["globex", "acme"] } } },
    });
    const browser = world.browser();
    await signIn(world, browser, logins.default);
    const shown = await browser.open("/both", { headers: html });
    expect(buttonsOf(shown)).toEqual(["globex*", "acme"]);
  });

  test("only those count which all rules of the path allow [MX-078]", async () => {
    const world = await startTwoProviders({
      more: { acme: settingsOfOther },
      options: {
        accessRules: {
          "/": { connection: ["default", "acme"] },
          "/inner": { connection: ["globex", "acme"] },
        },
      },
    });
    const browser = world.browser();
    await signIn(world, browser, logins.default);
    const led = await browser.request("/inner", { headers: html });
    expect(new URL(led.location).pathname).toBe("/api/auth/login/acme");
  });
});

const settingsOfOther = {
  issuerBaseURL: "https://acme.example",
  clientID: "acme",
  clientSecret: "acme-secret",
};

test("a user of the connection without another part of the rule is led nowhere [MX-078]", async () => {
  const world = await startTwoProviders({
    options: { accessRules: { "/admin": { connection: "globex", claim: { role: "admin" } } } },
  });
  const browser = world.browser();
  await signIn(world, browser, logins.default);
  const led = await browser.request("/admin", { headers: html });
  expect(new URL(led.location).pathname).toBe(logins.globex);
  await signIn(world, browser, logins.globex);
  expect(await browser.request("/admin", { headers: html })).toMatchObject({
    status: 403,
    location: "",
  });
});

test("a rule with a connection of another host refuses a user, and leads nowhere [MX-078]", async () => {
  const world = await startTwoProviders({
    globex: { hosts: ["elsewhere.example"], label: "Globex Ltd" },
    options: { accessRules },
  });
  const browser = world.browser();
  await signIn(world, browser, logins.default);
  const refused = await browser.request("/globex", { headers: html });
  expect(refused).toMatchObject({ status: 403, location: "" });
  expect(refused.text).toContain("It needs a sign-in with Globex Ltd.");
});

test("a rule that also limits the age of a sign-in leads to one that proves it [MX-078]", async () => {
  const world = await startTwoProviders({
    options: { accessRules: { "/pay": { connection: "globex", maxAge: 300, acr: "mfa" } } },
  });
  const browser = world.browser();
  await signIn(world, browser, logins.default);
  const led = await browser.request("/pay", { headers: html });
  const begun = await browser.request(led.location);
  expect(providerOf(world, begun)).toBe("globex");
  const { searchParams } = new URL(begun.location);
  expect([searchParams.get("max_age"), searchParams.get("acr_values")]).toEqual(["300", "mfa"]);
});

test("a form for another connection is not sent, and a page offers a sign-in there [MX-078]", async () => {
  const world = await startTwoProviders({ options: { accessRules } });
  const browser = world.browser();
  await signIn(world, browser, logins.default);
  const refused = await browser.request("/globex", {
    method: "POST",
    headers: { ...html, origin: world.baseURL },
    body: new URLSearchParams({ amount: "7" }),
  });
  expect(refused.status).toBe(403);
  expect(refused.text).toContain("Your form has not been sent");
  const [, address = ""] = /href="([^"]*\/api\/auth\/login[^"]*)"/.exec(refused.text) ?? [];
  const begun = await browser.request(address.replaceAll("&amp;", "&"));
  expect(providerOf(world, begun)).toBe("globex");
});

test("require() in a handler and explain() know the connection [MX-078]", async () => {
  const world = await startTwoProviders();
  const server = await startServer();
  const auth = createAuth({ ...world.options, baseURL: server.origin });
  const rule = { connection: ["globex", "default"] };
  const app = express()
    .use(latchkey(auth))
    .get("/own", (req, res) => void res.json(auth.of(req).explain(rule)))
    .get("/other", (req, res) => {
      auth.of(req).require({ connection: "globex" });
      res.end("other");
    });
  server.serve(app);
  atEnd(() => server.close());
  const browser = createBrowser(server.origin);
  await signIn(world, browser, logins.default);
  const explained = await browser.request("/own");
  expect(JSON.parse(explained.text)).toEqual({
    holds: true,
    parts: [{ part: "connection", required: ["globex", "default"], holds: true }],
  });
  const led = await browser.request("/other", { headers: html });
  expect(new URL(led.location).pathname).toBe(logins.globex);
  expect(await browser.request("/other", { headers: byScript })).toMatchObject({ status: 403 });
});

describe("an unknown connection in rules", () => {
  const rules = { "/a": { connection: "globx" }, "/b": { connection: ["default", "acme"] } };

  test("stops the start, each named with the faults of the settings [MX-078]", async () => {
    const world = await startTwoProviders();
    const auth = createAuth({ ...world.options, secret: "short", accessRules: rules });
    const error = await auth.ready().catch(String);
    expect(error).toMatch(
      /accessRules\["\/a"\].*globx, which is not there \(did you mean globex\?\)/,
    );
    expect(error).toMatch(/accessRules\["\/b"\].*acme, which is not there/);
    expect(error).toContain("LATCHKEY_SECRET");
  });

  test("may be found by a look-up [MX-078]", async () => {
    const world = await startTwoProviders();
    const found = { ...settingsAt(world.second), backchannelLogout: false };
    const connections = lookUp({ byID: (id) => (id === "acme" ? found : null) });
    world.serve({ connections, accessRules: { "/acme": { connection: "acme" } } });
    const browser = world.browser();
    await signIn(world, browser, logins.default);
    const led = await browser.request("/acme", { headers: html });
    expect(new URL(led.location).pathname).toBe("/api/auth/login/acme");
  });
});
