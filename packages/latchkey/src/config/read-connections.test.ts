import { expect, test } from "vitest";

import { ownTime } from "../../test/own-time.ts";
import { configOf, faultsBy, faultsOf, goodSettings } from "../../test/settings.ts";
import { defaultID } from "./constants.ts";
import type { Settings } from "./settings.ts";

const acme = {
  issuerBaseURL: "https://id.acme.example",
  clientID: "latchkey",
  clientSecret: "secret-of-acme",
};
const google = { ...acme, issuerBaseURL: "https://accounts.google.com" };
const identity = "issuer+sub";

type Connections = NonNullable<Settings["connections"]>;

function settingsOf(connections: Connections, changes: Partial<Settings> = {}) {
  return configOf({ identity, connections, ...changes }).connections;
}

/** The faults of these connections, as an app in JavaScript may write them. */
function faultsIn(connections: unknown, changes: Readonly<Record<string, unknown>> = {}) {
  return faultsBy({ identity, connections, ...changes });
}

test("flat settings alone are the connection default [MX-001]", () => {
  const config = configOf({ maxAge: 60, label: "Example" });
  expect(Object.keys(config.connections)).toEqual([defaultID]);
  expect(config.connections.default).toMatchObject({
    id: "default",
    uses: "default",
    callback: "own",
    label: "Example",
    maxAge: 60,
    clientID: goodSettings.clientID,
    clientSecret: goodSettings.clientSecret,
    lifetime: config.session.lifetime,
  });
});

test("each connection has its settings and every default, and takes none of the app's [MX-002]", () => {
  const { connections } = configOf({
    identity,
    scope: "openid offline_access",
    organization: "org_main",
    connections: { acme: { ...acme, maxAge: 60, acr: ["phr"], hidden: true } },
  });
  expect(connections["acme"]).toMatchObject({
    ...acme,
    id: "acme",
    label: "acme",
    maxAge: 60,
    acr: ["phr"],
    hidden: true,
    scope: "openid profile email",
    idTokenSigningAlg: "RS256",
    responseMode: "query",
    otherEmails: "admit",
  });
  expect(connections["acme"]).not.toHaveProperty("organization");
});

test("all faults of all connections are reported at once, each with its place [MX-002]", () => {
  const connections = {
    acme: { ...acme, clientIdd: "x", scope: "email", baseURL: "https://other.example" },
    google: { ...google, issuerBaseURL: "http://accounts.google.com", clientSecret: undefined },
    globex: "https://globex.example",
    initech: { clientSecret: "short\u200b", session: { rolling: true, absolute: 3 } },
  };
  expect(faultsIn(connections, { maxAge: -1 })).toEqual([
    "maxAge: must not be negative",
    "connections.acme.clientIdd: is not an option of a connection",
    "connections.acme.baseURL: is a setting of the app, not of a connection",
    "connections.acme.scope: must contain openid",
    "connections.google.issuerBaseURL: must be https, except on this machine itself",
    "connections.google.clientSecret: is required for the clientAuthMethod client_secret_basic",
    "connections.globex: must be an object of settings",
    "connections.initech.session.rolling: is a setting of the app, not of a connection",
    "connections.initech.session.absolute: is not an option of a connection",
    "connections.initech.issuerBaseURL: is required",
    "connections.initech.clientID: is required",
    "connections.initech.clientSecret: has an invisible character, U+200B, at place 6",
  ]);
});

test("a fault names the variable and the remedy of its connection, and no secret [MX-002]", () => {
  const connections = {
    "acme-eu": { ...acme, clientSecret: "a\u00a0b", clientIdd: "x", tenants: ["a b"] },
  };
  const [misspelt, ...faults] = faultsOf({ ...goodSettings, identity, connections });
  expect(misspelt?.remedy).toBe("Did you mean clientID?");
  expect(faults).toMatchObject([
    {
      option: "connections.acme-eu.tenants.0",
      variable: "LATCHKEY_CONNECTION_ACME_EU_TENANTS",
      remedy: expect.stringContaining("LATCHKEY_CONNECTION_ACME_EU_TENANTS"),
    },
    { variable: "LATCHKEY_CONNECTION_ACME_EU_CLIENT_SECRET" },
  ]);
  expect(JSON.stringify(faults)).not.toContain("a\u00a0b");
});

test.each([null, "acme", 3, ["acme"], () => ({})])("connections are an object, not %s", (given) => {
  expect(faultsIn(given)).toEqual([
    "connections: must be an object with the settings of each connection by its id",
  ]);
});

test.each(["a", "acme", "acme-eu-2", "constructor", "a".repeat(63)])(
  "%s is an id [MX-003]",
  (id) => {
    expect(Object.keys(settingsOf({ [id]: acme }))).toEqual(["default", id]);
  },
);

test.each(["", "Acme", "2acme", "-acme", "ac_me", "acme.eu", "a b", "ä", "../x", "__proto__"])(
  "%s is no id [MX-003]",
  (id) => {
    const connections = JSON.parse(JSON.stringify({ x: acme }).replace('"x"', JSON.stringify(id)));
    expect(faultsIn(connections)).toEqual([`connections.${id}: is no id of a connection`]);
  },
);

test("an id of 64 characters is too long [MX-003]", () => {
  expect(faultsIn({ ["a".repeat(64)]: acme })).toHaveLength(1);
});

test.each([
  ["default", "connections.default: has the id of the connection of the flat settings"],
  ["DEFAULT", "connections.DEFAULT: has the id of the connection of the flat settings"],
])("the id %s is reserved [MX-003]", (id, fault) => {
  expect(faultsIn({ [id]: acme })).toEqual([fault]);
});

test("two ids that differ by capital letters or marks are one too many [MX-003]", () => {
  const connections = { "acme-eu": acme, "Acme-EU": google, acme_eu: { uses: "default" } };
  expect(faultsIn(connections)).toEqual([
    "connections.Acme-EU: has the id of acme-eu but for capital letters or marks",
    "connections.acme_eu: has the id of acme-eu but for capital letters or marks",
  ]);
});

test("the settings know no id of Object.prototype [MX-003]", () => {
  const connections = settingsOf({ acme });
  expect([connections["constructor"], connections["__proto__"]]).toEqual([undefined, undefined]);
});

test("the option uses takes over the client, with rules of its own over its settings [MX-006]", () => {
  const connections = settingsOf(
    {
      acme: { ...acme, callback: "shared", scope: "openid groups", domains: ["acme.example"] },
      beta: { uses: "acme", organization: "org_beta", label: "Beta", maxAge: 0 },
      main: { uses: "default", organization: "org_main" },
    },
    { scope: "openid email", clientSecret: "secret-of-default", hidden: true },
  );
  expect(connections["beta"]).toMatchObject({
    ...acme,
    uses: "acme",
    callback: "shared",
    scope: "openid groups",
    organization: "org_beta",
    label: "Beta",
    maxAge: 0,
    domains: [],
  });
  expect(connections["main"]).toMatchObject({
    issuerBaseURL: goodSettings.issuerBaseURL,
    clientSecret: "secret-of-default",
    uses: "default",
    organization: "org_main",
    scope: "openid email",
    hidden: false,
  });
});

test.each([
  [
    "the client of no connection",
    { beta: { uses: "acne" } },
    "beta.uses: is the id of no connection",
  ],
  ["its own client", { beta: { uses: "beta" } }, "beta.uses: is the connection itself"],
  [
    "one of Object.prototype",
    { beta: { uses: "toString" } },
    "beta.uses: is the id of no connection",
  ],
  [
    "a chain",
    { beta: { uses: "default" }, gamma: { uses: "beta" } },
    "gamma.uses: uses the client of another connection itself",
  ],
  ["no text", { beta: { ...acme, uses: 3 } }, "beta.uses: must be text"],
])("the option uses with %s: a fault [MX-006]", (_, connections, fault) => {
  expect(faultsIn(connections)).toEqual([`connections.${fault}`]);
});

test("a cycle of uses is a fault of each [MX-006]", () => {
  expect(faultsIn({ beta: { uses: "gamma" }, gamma: { uses: "beta" } })).toEqual([
    "connections.beta.uses: uses the client of another connection itself",
    "connections.gamma.uses: uses the client of another connection itself",
  ]);
});

test("settings of the client beside uses are faults [MX-006]", () => {
  const connections = { beta: { uses: "default", ...acme, callback: "shared", maxAge: 5 } };
  expect(faultsIn(connections)).toEqual(
    ["issuerBaseURL", "clientID", "clientSecret", "callback"].map(
      (name) => `connections.beta.${name}: is a setting of the client, which is that of default`,
    ),
  );
});

test("a fault of the client is reported for the connection that has it alone [MX-006]", () => {
  const connections = { acme: { ...acme, scope: "email" }, beta: { uses: "acme" } };
  expect(faultsIn(connections)).toEqual(["connections.acme.scope: must contain openid"]);
});

test("a client is that of one connection: others use it [MX-006]", () => {
  const { issuerBaseURL, clientID } = goodSettings;
  const again = { issuerBaseURL, clientID, clientSecret: "another-secret" };
  expect(faultsIn({ again })).toEqual([
    "connections.again.clientID: is the client of default at the same provider",
  ]);
});

test("a second client without identity is a fault with its reason [MX-007]", () => {
  const [fault] = faultsOf({ ...goodSettings, connections: { acme } });
  expect(fault).toMatchObject({ option: "identity", variable: "LATCHKEY_IDENTITY" });
  expect(fault?.message).toContain(
    "`user.sub` alone is no key any more: a customer's provider can issue any `sub`",
  );
  expect(fault?.remedy).toContain("identity.id");
});

test("one client in several connections needs no identity, nor does one connection [MX-007]", () => {
  const connections = { beta: { uses: "default", organization: "org_beta" } };
  expect(faultsBy({ connections })).toEqual([]);
  expect(faultsBy({ connections: {} })).toEqual([]);
  expect(faultsBy({ identity: "sub" })).toEqual(["identity: must be one of [issuer+sub]"]);
});

test("a domain belongs to one connection, however it is written [MX-071]", () => {
  const connections = {
    acme: { ...acme, domains: ["ACME.example", "bücher.example"] },
    google: { ...google, domains: ["acme.example.", "eu.acme.example"] },
    beta: { uses: "default", domains: ["main.example", "xn--bcher-kva.example"] },
  };
  expect(faultsIn(connections, { domains: ["main.example"] })).toEqual([
    "connections.google.domains: acme.example belongs to acme already",
    "connections.beta.domains: main.example belongs to default already, xn--bcher-kva.example belongs to acme already",
  ]);
});

test.each(["gmail.com", "Outlook.com", "web.de"])(
  "no connection takes the users of %s [MX-071]",
  (name) => {
    const fault = "domains: has a domain of a public mail service";
    expect(faultsIn({ acme: { ...acme, domains: ["acme.example", name] } })).toEqual([
      `connections.acme.${fault}`,
    ]);
    expect(faultsBy({ domains: [name] })).toEqual([]);
  },
);

test.each(["acme", "@acme.example", "*.acme.example", "https://acme.example", "a b.example", ""])(
  "%s is no e-mail domain [MX-071]",
  (name) => {
    expect(faultsIn({ acme: { ...acme, domains: [name] } })).toEqual([
      "connections.acme.domains.0: must be a domain",
    ]);
  },
);

test("with domains, other addresses are refused unless they are admitted [MX-072]", () => {
  const domains = ["acme.example"];
  const connections = settingsOf({
    acme: { ...acme, domains },
    google: { ...google, domains: ["g.example"], otherEmails: "admit" },
  });
  expect(connections["acme"]?.otherEmails).toBe("refuse");
  expect(connections["google"]?.otherEmails).toBe("admit");
  expect(connections.default.otherEmails).toBe("admit");
  expect(faultsIn({ acme: { ...acme, otherEmails: "refuse" } })).toEqual([
    "connections.acme.otherEmails: needs domains: without them, every address is one of others",
  ]);
});

test("a shared callback makes that of default a shared one [MX-030]", () => {
  const connections = settingsOf({ acme: { ...acme, callback: "shared" }, google });
  expect(Object.values(connections).map(({ callback }) => callback)).toEqual([
    "shared",
    "shared",
    "own",
  ]);
});

test.each([
  [
    "another response type",
    { acme: { ...acme, callback: "shared", responseType: "code id_token" } },
    {},
    "connections.acme.callback: is shared, and needs the response type code in place of code id_token",
  ],
  [
    "another response type of default",
    { acme: { ...acme, callback: "shared" } },
    { responseType: "id_token" },
    "callback: is shared, and needs the response type code in place of id_token",
  ],
  [
    "two clients of one provider",
    { acme: { ...acme, callback: "shared" }, more: { ...acme, clientID: "b", callback: "shared" } },
    {},
    "connections.more.callback: is shared with acme, which has the same provider",
  ],
  [
    "a second client of the provider of default",
    { acme: { ...acme, issuerBaseURL: goodSettings.issuerBaseURL, callback: "shared" } },
    {},
    "connections.acme.callback: is shared with default, which has the same provider",
  ],
])("a shared callback with %s is a fault [MX-030]", (_, connections, changes, fault) => {
  expect(faultsIn(connections, changes)).toEqual([fault]);
});

test("the shorter duration of app and connection counts [MX-047]", () => {
  const connections = settingsOf(
    {
      acme: { ...acme, session: { rollingDuration: 600, absoluteDuration: 28_800 } },
      google: { ...google, session: { rollingDuration: 999_999, absoluteDuration: 999_999 } },
    },
    { session: { absoluteDuration: false } },
  );
  expect(connections["acme"]?.lifetime).toEqual({ rolling: 600, absolute: 28_800 });
  expect(connections["google"]?.lifetime).toEqual({ rolling: 86_400, absolute: 999_999 });
  expect(connections.default.lifetime).toEqual({ rolling: 86_400, absolute: null });
});

test("durations of a connection fit the app [MX-047]", () => {
  const of = (session: object) => ({ acme: { ...acme, session } });
  expect(faultsIn(of({ rollingDuration: 60 }), { session: { rolling: false } })).toEqual([
    'connections.acme.session.rollingDuration: must be false when "session.rolling" is disabled',
  ]);
  expect(faultsIn(of({ absoluteDuration: false }))).toEqual([
    "connections.acme.session.absoluteDuration: must be a number of seconds",
  ]);
});

test("the preset hardened counts for each client", () => {
  const key = "-----BEGIN PRIVATE KEY-----";
  const connections = settingsOf(
    {
      acme: { ...acme, clientAssertionSigningKey: key },
      google: { ...google, clientAuthMethod: "client_secret_post" },
    },
    { preset: "hardened", clientAuthMethod: "client_secret_basic", session: { stateful: false } },
  );
  expect(connections["acme"]).toMatchObject({
    clientAuthMethod: "private_key_jwt",
    pushedAuthorizationRequests: "if-offered",
  });
  expect(connections["google"]?.clientAuthMethod).toBe("client_secret_post");
});

test("200 connections are read in half a second [MX-108]", () => {
  const many = Object.fromEntries(
    Array.from({ length: 200 }, (_, place) => [
      `c${place}`,
      { ...acme, clientID: `c${place}`, domains: [`c${place}.example`] },
    ]),
  );
  const begin = ownTime();
  expect(Object.keys(settingsOf(many))).toHaveLength(201);
  expect(ownTime() - begin).toBeLessThan(500);
});

test("the hosts of a connection are compared as addresses spell them, and a faulty one is named [MX-022]", () => {
  const hosts = ["ACME.example.com.", "bücher.example:443", "acme.localhost:3000"];
  expect(settingsOf({ acme: { ...acme, hosts } })["acme"]?.hosts).toEqual([
    "acme.example.com",
    "xn--bcher-kva.example",
    "acme.localhost:3000",
  ]);
  const faulty = ["https://acme.example.com", "acme.example.com/shop", "a.example, b.example", ""];
  const faults = faultsIn({ acme: { ...acme, hosts: faulty } });
  expect(faults).toHaveLength(faulty.length);
  for (const fault of faults) expect(fault).toMatch(/^connections\.acme\.hosts.*must be a host/);
});
