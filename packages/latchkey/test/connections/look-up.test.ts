import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";

import { createCertificate } from "@latchkey/provider";
import { describe, expect, onTestFinished, test } from "vitest";

import { type ConnectionOptions, lookUp, type LookUpOptions } from "../../src/connections/index.ts";
import { optionsWithStore } from "../../src/adapters/environment/auth-from-environment.ts";
import type { LogEvent } from "../../src/index.ts";
import { buttonsOf, inTab, page, post, providerOf } from "./chooser-page.ts";
import { settingsAt, signIn, startTwoProviders, type TwoProviders } from "./two-providers.ts";

/** An app whose customers, but for `default`, stand in a table. */
async function world() {
  const two = await startTwoProviders();
  const rows = new Map<string, ConnectionOptions>([["acme", settingsAt(two.second)]]);
  const looked: string[] = [];
  const look: LookUpOptions = {
    byID(id) {
      looked.push(id);
      return rows.get(id) ?? null;
    },
    issuers: () => true,
    timeout: 200,
  };
  two.serve({ connections: lookUp(look) });
  return { two, rows, looked, look };
}

const login = "/api/auth/login/acme";

async function meOf(browser: ReturnType<TwoProviders["browser"]>) {
  const { status, text } = await browser.request("/api/auth/me");
  return { status, sub: status === 200 ? (JSON.parse(text) as { sub: string }).sub : undefined };
}

describe("a customer in a table of the app", () => {
  test("signs in with one look-up, and its requests need none [MX-107]", async () => {
    const { two, looked } = await world();
    const browser = two.browser();
    expect((await signIn(two, browser, login)).status).toBe(302);
    for (let count = 0; count < 5; count += 1) {
      expect((await browser.request("/")).status).toBe(200);
    }
    expect((await meOf(browser)).status).toBe(200);
    expect(looked).toEqual(["acme"]);
    expect(two.second.requests.filter(({ endpoint }) => endpoint === "metadata")).toHaveLength(1);
  });

  test("is looked up once, and its provider once, for a hundred sign-ins at once [MX-107]", async () => {
    const { two, looked } = await world();
    const logins = Array.from({ length: 100 }, () => two.browser().request(login));
    const statuses = (await Promise.all(logins)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([302]));
    expect(looked).toEqual(["acme"]);
    expect(two.second.requests.filter(({ endpoint }) => endpoint === "metadata")).toHaveLength(1);
  });

  test("stays known while a stranger sends made-up ids, fifty look-ups at a time [MX-106]", async () => {
    const { two, rows, looked, look } = await world();
    const flights = { underWay: 0, most: 0 };
    async function byID(id: string) {
      looked.push(id);
      flights.underWay += 1;
      flights.most = Math.max(flights.most, flights.underWay);
      await new Promise((resolve) => void setTimeout(resolve, 10));
      flights.underWay -= 1;
      return rows.get(id) ?? null;
    }
    two.serve({ connections: lookUp({ ...look, byID, timeout: 2000 }) });
    const browser = two.browser();
    expect((await signIn(two, browser, login)).status).toBe(302);
    const ids = Array.from({ length: 300 }, (_, nth) => `made-up-${nth}`);
    const answers = await Promise.all(
      ids.map((id) => two.browser().request(`/api/auth/login/${id}`)),
    );
    expect(answers.filter(({ status }) => ![404, 503].includes(status))).toEqual([]);
    expect(flights.most).toBeGreaterThan(10);
    expect(flights.most).toBeLessThanOrEqual(50);
    expect((await meOf(browser)).status).toBe(200);
    expect(looked.filter((id) => id === "acme")).toHaveLength(1);
  });

  test("is unknown without a row, as any other address", async () => {
    const { two, looked } = await world();
    const { status } = await two.browser().request("/api/auth/login/globex");
    expect([status, looked]).toEqual([404, ["globex"]]);
  });

  test("whose connection is for another host is unknown here [MX-022]", async () => {
    const { two, rows } = await world();
    rows.set("acme", { ...settingsAt(two.second), hosts: ["shop.acme.example"] });
    expect((await two.browser().request(login)).status).toBe(404);
  });

  test("is never looked up by what is no id [MX-034]", async () => {
    const { two, looked } = await world();
    for (const path of ["/login/ACME", "/login/a%63me", "/login/../acme", "/login/acme/acme"]) {
      await two.browser().request(`/api/auth${path}`);
    }
    expect(looked).toEqual([]);
  });
});

test("with requireIssuer each session names its connection as soon as customers are looked up [MX-048]", async () => {
  const { two, look } = await world();
  const session = { requireIssuer: true };
  two.serve({ connections: {}, session });
  const former = two.browser();
  await signIn(two, former, "/api/auth/login");
  expect((await meOf(former)).status).toBe(200);
  two.serve({ connections: lookUp(look), session });
  expect((await meOf(former)).status).not.toBe(200);
  const browser = two.browser();
  await signIn(two, browser, login);
  expect((await meOf(browser)).status).toBe(200);
});

test("an app finds a customer by the issuer that a third party names", async () => {
  const { two, look } = await world();
  const { issuer } = two.second;
  two.serve({
    connections: lookUp({ ...look, byIssuer: (name) => (name === issuer ? "acme" : null) }),
  });
  const start = (iss: string) =>
    two.browser().request(`/api/auth/login?iss=${encodeURIComponent(iss)}`);
  const { status, text } = await start(issuer);
  expect([status, text.includes("acme")]).toEqual([200, true]);
  expect((await start("https://stranger.example")).status).toBe(400);
});

test("an app finds a customer by the domain of an e-mail address", async () => {
  const { two, look } = await world();
  const byDomain = (domain: string) => (domain === "acme.example" ? "acme" : null);
  two.serve({ connections: lookUp({ ...look, byDomain }) });
  const browser = two.browser();
  expect((await browser.request(page, { headers: inTab })).text).toContain('name="email"');
  const begun = await post(browser, page, { email: "ada@acme.example" });
  expect(providerOf(two, begun)).toBe("globex");
  expect((await post(browser, page, { email: "ada@stranger.example" })).status).toBe(200);
});

describe("a look-up that fails [MX-009] [MX-042]", () => {
  const failures: Readonly<Record<string, LookUpOptions["byID"]>> = {
    throws() {
      throw new Error("the database is down");
    },
    "never ends": () => new Promise(() => undefined),
  };

  test.each(Object.entries(failures))(
    "because it %s refuses sign-ins with 503, and lets sessions go on",
    async (_, byID) => {
      const { two, look } = await world();
      const browser = two.browser();
      await signIn(two, browser, login);
      two.serve({ connections: lookUp({ ...look, byID }) });
      const started = performance.now();
      const { status, headers } = await two.browser().request(login);
      expect([status, headers.get("retry-after")]).toEqual([503, "1"]);
      expect(performance.now() - started).toBeLessThan(2000);
      expect((await browser.request("/")).status).toBe(200);
      expect((await meOf(browser)).status).toBe(200);
    },
  );

  test("touches no other connection", async () => {
    const { two, look } = await world();
    two.serve({ connections: lookUp({ ...look, byID: failures["throws"] ?? look.byID }) });
    await two.browser().request(login);
    expect((await signIn(two, two.browser(), "/api/auth/login/default")).status).toBe(302);
  });
});

test.each<[string, unknown, string]>([
  ["a text", "acme", "the answer is a text, not settings"],
  ["a list", [], "the answer is an empty list, not settings"],
  ["settings with a misspelt name", { clientId: "acme" }, "clientId"],
  ["settings of another connection", { id: "globex" }, "id"],
  ["ten megabytes", { label: "a".repeat(10_000_000) }, "the answer is too large"],
])(
  "a look-up that returns %s refuses its connection alone [MX-009] [MX-010]",
  async (_, answer, detail) => {
    const { two, look } = await world();
    const byID: LookUpOptions["byID"] = (id) =>
      id === "acme" ? (answer as ConnectionOptions) : null;
    two.serve({ connections: lookUp({ ...look, byID }) });
    expect((await two.browser().request(login)).status).toBe(500);
    const refused = two.problems.at(-1);
    expect(refused?.reason).toBe("connection_invalid");
    expect(JSON.stringify(two.events)).toContain(detail);
    expect((await signIn(two, two.browser(), "/api/auth/login/default")).status).toBe(302);
  },
);

test.each([
  ["whose provider", "https://10.0.0.1"],
  ["whose provider has a port and", "https://id.acme.example:8443"],
])(
  "a customer %s is in the machine's network is refused without a call [MX-010]",
  async (_, issuer) => {
    const { two, rows, look } = await world();
    rows.set("acme", { ...settingsAt(two.second), issuerBaseURL: issuer });
    const called: string[] = [];
    const fetch = async (address: string) => Response.json({ called: called.push(address) });
    two.serve({ connections: lookUp({ ...look, issuers: undefined }), fetch });
    expect((await two.browser().request(login)).status).toBe(500);
    expect(two.problems.at(-1)).toMatchObject({
      reason: "metadata_invalid",
      detail: expect.stringContaining("check issuers of lookUp()"),
    });
    expect(called).toEqual([]);
  },
);

test("a server of this network behind a customer's name gets no request, without a certificate for it [MX-011]", async () => {
  const { two, rows, look } = await world();
  const requests: unknown[] = [];
  const connections: unknown[] = [];
  const inside = createServer(await createCertificate(), ({ url }, response) => {
    requests.push(url);
    response.end("{}");
  });
  inside.on("connection", (socket) => connections.push(socket));
  inside.listen(0, "127.0.0.1");
  await once(inside, "listening");
  onTestFinished(() => void inside.close());
  const { port } = inside.address() as AddressInfo;
  rows.set("acme", { ...settingsAt(two.second), issuerBaseURL: `https://localhost:${port}` });
  two.serve({ connections: lookUp(look) });
  await two.browser().request(login);
  expect(two.problems.at(-1)).toMatchObject({
    reason: "provider_unreachable",
    detail: expect.stringContaining("certificate"),
  });
  expect([connections.length > 0, requests]).toEqual([true, []]);
});

test("an endpoint that a customer may not name counts for nothing [MX-010]", async () => {
  const { two, look } = await world();
  const issuers = ({ pathname }: URL) => !pathname.includes("/authorize");
  two.serve({ connections: lookUp({ ...look, issuers }) });
  expect((await two.browser().request(login)).status).toBe(500);
  expect(two.problems.at(-1)).toMatchObject({ reason: "metadata_invalid" });
});

test("settings of a customer are looked up again after `forget` [MX-012]", async () => {
  const { two, rows, looked } = await world();
  await two.browser().request(login);
  rows.delete("acme");
  expect((await two.browser().request(login)).status).toBe(302);
  two.auth.connections.forget("acme");
  expect((await two.browser().request(login)).status).toBe(404);
  expect(looked).toEqual(["acme", "acme"]);
});

test("sessions of a customer whose row is gone do not count, and their cookies stay [MX-042]", async () => {
  const { two, rows } = await world();
  const browser = two.browser();
  await signIn(two, browser, login);
  rows.delete("acme");
  two.auth.connections.forget("acme");
  const { status, headers } = await browser.request("/api/auth/me");
  expect([status, headers.getSetCookie()]).toEqual([204, []]);
});

test("connections in code stand on the page, and a look-up finds the others", async () => {
  const { two, rows, looked, look } = await world();
  const listed = { globex: { ...settingsAt(two.second), clientID: "two", label: "Globex" } };
  rows.set("beta", { uses: "globex", organization: "org_beta" });
  two.serve({ connections: lookUp({ ...look, listed }) });
  const browser = two.browser();
  expect(buttonsOf(await browser.request(page))).toEqual(["default*", "globex"]);
  expect(providerOf(two, await browser.request("/api/auth/login/globex"))).toBe("globex");
  expect(looked).toEqual([]);
  expect((await signIn(two, browser, login)).status).toBe(302);
  const beta = new URL((await browser.request("/api/auth/login/beta")).location);
  expect(beta.searchParams.get("client_id")).toBe("two");
});

test("a customer is looked up without another look at the connections of the settings [MX-105]", async () => {
  const { two, rows, looked, look } = await world();
  const globex = settingsAt(two.second);
  rows.set("acme", { ...globex, clientID: "two" });
  rows.set("beta", { ...globex, clientID: "three" });
  let reads = 0;
  const listed = {
    globex: {
      ...globex,
      get clientID() {
        reads += 1;
        return globex.clientID;
      },
    },
  };
  two.serve({ connections: lookUp({ ...look, listed }) });
  await two.browser().request(login);
  const readsAtFirst = reads;
  expect((await two.browser().request("/api/auth/login/beta")).status).toBe(302);
  expect([looked, reads]).toEqual([["acme", "beta"], readsAtFirst]);
});

test("a customer with a client or a domain of the settings is refused", async () => {
  const { two, rows, look } = await world();
  const listed = { globex: { ...settingsAt(two.second), domains: ["globex.example"] } };
  rows.set("beta", { ...settingsAt(two.second), clientID: "two", domains: ["globex.example"] });
  two.serve({ connections: lookUp({ ...look, listed }) });
  for (const id of ["acme", "beta"]) {
    expect((await two.browser().request(`/api/auth/login/${id}`)).status).toBe(500);
    expect(two.problems.at(-1)?.reason).toBe("connection_invalid");
  }
  expect(JSON.stringify(two.events)).toContain("globex.example belongs to globex already");
});

test("connections of variables stay beside a look-up [MX-004]", async () => {
  const { two, look } = await world();
  const { issuerBaseURL, clientSecret } = settingsAt(two.second);
  const variables = {
    LATCHKEY_BASE_URL: two.baseURL,
    LATCHKEY_SECRET: "a-secret-of-the-connections-tests-0123456789",
    LATCHKEY_ISSUER_BASE_URL: two.first.issuer,
    LATCHKEY_CLIENT_ID: two.first.client.id,
    LATCHKEY_CLIENT_SECRET: two.first.client.secret,
    LATCHKEY_IDENTITY: "issuer+sub",
    LATCHKEY_CONNECTIONS: "globex",
    LATCHKEY_CONNECTION_GLOBEX_ISSUER_BASE_URL: issuerBaseURL,
    LATCHKEY_CONNECTION_GLOBEX_CLIENT_ID: "two",
    LATCHKEY_CONNECTION_GLOBEX_CLIENT_SECRET: clientSecret,
  };
  const warned: string[] = [];
  const log = (event: LogEvent) => void ("message" in event && warned.push(event.message));
  two.serve(optionsWithStore(variables, { connections: lookUp(look), log, store: two.store }));
  const browser = two.browser();
  expect(buttonsOf(await browser.request(page))).toEqual(["default*", "globex"]);
  expect(providerOf(two, await browser.request(login))).toBe("globex");
  expect(warned.filter((message) => message.includes("CONNECTION"))).toEqual([]);
});

test("an app that looks connections up says how it knows its users [MX-007]", async () => {
  const { two, look } = await world();
  const auth = two.serve({ connections: lookUp(look), identity: undefined });
  await expect(auth.ready()).rejects.toThrow(/identity.*is required with a second client/s);
});

test("wrong options of `lookUp` are named, all of them", async () => {
  const { two } = await world();
  const wrong = { byId: () => null, timeout: "2 s" } as unknown as LookUpOptions;
  const auth = two.serve({ connections: lookUp(wrong) });
  await expect(auth.ready()).rejects.toMatchObject({
    faults: [
      { option: "connections.byID", message: "is required" },
      { option: "connections.timeout" },
      { option: "connections.byId", message: "is not an option" },
    ],
  });
});
