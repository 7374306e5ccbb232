import { behaviorOfTenant, startHostileProvider } from "@latchkey/provider/hostile";
import { describe, expect, test } from "vitest";

import { type ConnectionOptions, lookUp, type LookUpOptions } from "../../src/connections/index.ts";
import { atEnd } from "../at-end.ts";
import { handleRequest } from "../handle-request.ts";
import {
  arrive,
  begin,
  settingsAt,
  signIn,
  startTwoProviders,
  type TwoProviders,
} from "./two-providers.ts";

const login = "/api/auth/login/acme";

/** Serves an app whose look-up returns what it must not. */
async function lying(answer: (two: TwoProviders) => unknown, more: Partial<LookUpOptions> = {}) {
  const two = await startTwoProviders();
  const byID = (id: string) => (id === "acme" ? answer(two) : null) as ConnectionOptions | null;
  two.serve({ connections: lookUp({ byID, issuers: () => true, timeout: 300, ...more }) });
  return two;
}

function circle(members: object): object {
  const made: Record<string, unknown> = { ...members };
  return Object.assign(made, { authorizationParams: made });
}

describe("a row of the app", () => {
  test.each<[string, (row: object) => unknown, RegExp]>([
    ["in a circle", circle, /circular/],
    ["with a number of any size", (row) => ({ ...row, maxAge: 10n }), /BigInt/],
    ["without a JSON text", (row) => ({ ...row, toJSON: () => undefined }), /length/],
    [
      "whose member throws",
      (row) => Object.defineProperty({ ...row }, "label", thrower),
      /a broken member/,
    ],
    ["as a function", (row) => () => row, /a function, not settings/],
    ["of functions", (row) => ({ ...row, clientID: () => "acme" }), /clientID/],
    ["with a prototype as a key", (row) => parsed(row, '"__proto__":{"hidden":true}'), /__proto__/],
    [
      "with metadata of another origin, whose keys would vouch for any user of the issuer",
      (row) => ({ ...row, metadataURL: "https://evil.example/metadata" }),
      /metadataURL is at another origin/,
    ],
    [
      "with ID tokens in the response, which are those of another app of the client",
      (row) => ({ ...row, responseType: "id_token", responseMode: "form_post" }),
      /responseType id_token/,
    ],
  ])("%s is refused with its reason, and harms no other [MX-009]", async (_, make, detail) => {
    const two = await lying(({ second }) => make(settingsAt(second)));
    expect((await two.browser().request(login)).status).toBe(500);
    expect(two.problems.at(-1)?.reason).toBe("connection_invalid");
    expect(JSON.stringify(two.events)).toMatch(detail);
    expect((await signIn(two, two.browser(), "/api/auth/login/default")).status).toBe(302);
  });

  test.each([undefined, null, Symbol("broken"), { toString: thrower.get }, "no such table"])(
    "that throws %o is a failure like any other [MX-009]",
    async (thrown) => {
      const two = await lying(() => {
        throw thrown;
      });
      const { status, headers } = await two.browser().request(login);
      expect([status, headers.get("retry-after")]).toEqual([503, "1"]);
      expect((await signIn(two, two.browser(), "/api/auth/login/default")).status).toBe(302);
    },
  );

  test("may have metadata at the origin of its issuer", async () => {
    const two = await lying(({ second }) => ({
      ...settingsAt(second),
      metadataURL: `${second.issuer}/.well-known/openid-configuration?policy=one`,
    }));
    expect((await signIn(two, two.browser(), login)).status).toBe(302);
  });
});

const thrower = {
  enumerable: true,
  get(): never {
    throw new Error("a broken member");
  },
};

function parsed(row: object, member: string): unknown {
  return JSON.parse(JSON.stringify(row).replace("{", `{${member},`));
}

test("an issuer which the look-up gives to a customer with another one is no issuer of ours [MX-073]", async () => {
  const two = await lying(({ second }) => settingsAt(second), { byIssuer: () => "acme" });
  const start = (iss: string) =>
    two.browser().request(`/api/auth/login?iss=${encodeURIComponent(iss)}`);
  expect((await start(two.second.issuer)).status).toBe(200);
  expect((await start("https://evil.example")).status).toBe(400);
  expect(two.problems.at(-1)?.reason).toBe("foreign_issuer");
});

test("what can be no issuer is not looked up, and takes no memory [MX-106]", async () => {
  const looked: string[] = [];
  const byIssuer = (issuer: string) => (looked.push(issuer), null);
  const two = await lying(() => null, { byIssuer });
  for (const iss of ["acme", "", " ", `https://evil.example/${"a".repeat(60_000)}`]) {
    const body = new URLSearchParams({ iss });
    const { status } = await two.browser().request("/api/auth/login", { method: "POST", body });
    expect(status).toBe(400);
  }
  expect(looked).toEqual([]);
});

/** A provider of many tenants, as Entra ID is one. */
async function startTenants() {
  const provider = await startHostileProvider({
    issuerPath: "/common/v2.0",
    client: { id: "of-tenants" },
  });
  atEnd(() => provider.close());
  provider.behave(behaviorOfTenant("tenant-1"));
  return { provider, settings: { ...settingsAt(provider), tenants: ["any"] } };
}

test("a user of a tenant keeps the identity while the customer cannot be looked up [MX-042] [MX-043]", async () => {
  const { settings } = await startTenants();
  let fails = false;
  const answer = () => {
    if (fails) throw new Error("the database is down");
    return settings;
  };
  const two = await lying(answer);
  const browser = two.browser();
  await signIn(two, browser, login);
  const identity = async () => {
    const headers = { cookie: await browser.cookies() };
    const request = new Request(`${two.baseURL}/`, { headers });
    return (await handleRequest(two.auth, request, (here) => here.identity)).made;
  };
  const before = await identity();
  expect(before?.issuer).toMatch(/\/tenant-1\/v2\.0$/);
  fails = true;
  two.serve({
    connections: lookUp({ byID: answer, issuers: () => true, timeout: 300 }),
  });
  expect(await identity()).toEqual(before);
});

test("a provider of tenants that is down holds up no sign-in by the issuer of another one [MX-059] [MX-073]", async () => {
  const { provider, settings } = await startTenants();
  const two = await startTwoProviders({ more: { entra: settings } });
  provider.behave({ faults: { metadata: { kind: "hang" } } });
  const started = performance.now();
  const start = (iss: string) =>
    two.browser().request(`/api/auth/login?iss=${encodeURIComponent(iss)}`);
  expect((await start(two.second.issuer)).status).toBe(200);
  expect((await start("https://stranger.example")).status).toBe(400);
  expect(performance.now() - started).toBeLessThan(2000);
});

describe("while one customer cannot be looked up", () => {
  const failures = {
    throws: () => {
      throw new Error("the database is down");
    },
    "never ends": () => new Promise<never>(() => undefined),
  };

  test.each(Object.entries(failures))(
    "since the look-up %s, a sign-in at another connection is finished beside the pending one [MX-009] [MX-059]",
    async (_, fail) => {
      const two = await lying(({ second }) => settingsAt(second));
      const browser = two.browser();
      await begin(two, browser, login);
      const one = await begin(two, browser, "/api/auth/login/default?returnTo=/one");
      two.serve({ connections: lookUp({ byID: fail, issuers: () => true, timeout: 3000 }) });
      const started = performance.now();
      expect((await arrive(browser, one.returned)).location).toBe(`${two.baseURL}/one`);
      expect(performance.now() - started).toBeLessThan(2000);
    },
  );

  test("an access rule leads to the other connection that it admits [MX-009] [MX-078]", async () => {
    const two = await lying(failures.throws);
    two.serve({
      connections: lookUp({ byID: failures.throws, issuers: () => true }),
      accessRules: { "/admin": { connection: ["acme", "default"] } },
    });
    const browser = two.browser();
    const { location } = await browser.request("/admin");
    expect((await signIn(two, browser, location)).location).toBe(`${two.baseURL}/admin`);
  });
});
