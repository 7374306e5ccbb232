import { expect, test } from "vitest";

import { faultsOf, goodVariables } from "../../test/settings.ts";
import { optionsFromEnvironment } from "./environment.ts";
import { secretsOf } from "./settings-in-files.ts";

const variables = {
  ...goodVariables,
  LATCHKEY_IDENTITY: "issuer+sub",
  LATCHKEY_CONNECTIONS: "google acme-eu, beta",
  LATCHKEY_CONNECTION_GOOGLE_ISSUER_BASE_URL: "https://accounts.google.com",
  LATCHKEY_CONNECTION_GOOGLE_CLIENT_ID: "g",
  LATCHKEY_CONNECTION_GOOGLE_CLIENT_SECRET: "secret-of-google",
  LATCHKEY_CONNECTION_GOOGLE_AUTHORIZATION_PARAMS: "prompt=login&hd=example.com",
  LATCHKEY_CONNECTION_ACME_EU_ISSUER_BASE_URL: "https://id.acme.example",
  LATCHKEY_CONNECTION_ACME_EU_CLIENT_ID: "a",
  LATCHKEY_CONNECTION_ACME_EU_CLIENT_SECRET_FILE: "/run/secrets/acme",
  LATCHKEY_CONNECTION_ACME_EU_DOMAINS: "acme.example acme.test",
  LATCHKEY_CONNECTION_ACME_EU_MAX_AGE: "60",
  LATCHKEY_CONNECTION_ACME_EU_HIDDEN: "yes",
  LATCHKEY_CONNECTION_ACME_EU_SESSION_ABSOLUTE_DURATION: "3600",
  LATCHKEY_CONNECTION_BETA_USES: "default",
  LATCHKEY_CONNECTION_BETA_ORGANIZATION: "org_beta",
};

/** The same in code. */
const connections = {
  google: {
    issuerBaseURL: "https://accounts.google.com",
    clientID: "g",
    clientSecret: "secret-of-google",
    authorizationParams: { prompt: "login", hd: "example.com" },
  },
  "acme-eu": {
    issuerBaseURL: "https://id.acme.example",
    clientID: "a",
    clientSecret: "secret-of-acme",
    domains: ["acme.example", "acme.test"],
    maxAge: 60,
    hidden: true,
    session: { absoluteDuration: 3600 },
  },
  beta: { uses: "default", organization: "org_beta" },
};

const texts = (more: Readonly<Record<string, string>> = {}) =>
  new Map(
    Object.entries({ LATCHKEY_CONNECTION_ACME_EU_CLIENT_SECRET_FILE: "secret-of-acme", ...more }),
  );

test("variables and files of secrets say the same as code [MX-004]", () => {
  const read = optionsFromEnvironment(variables);
  expect(read.warnings).toEqual([]);
  const options = { ...read.options, ...secretsOf(texts(), read) };
  expect(options.connections).toEqual(connections);
  expect(faultsOf(options)).toEqual([]);
});

test("the connections file says the same as code, and a variable comes before it [MX-004]", () => {
  const file = "LATCHKEY_CONNECTIONS_FILE";
  const inFile = optionsFromEnvironment({ ...goodVariables, [file]: "/etc/connections.json" });
  const text = texts({ [file]: JSON.stringify(connections) });
  expect(inFile.warnings).toEqual([]);
  expect(secretsOf(text, inFile)).toEqual({ connections });
  const both = optionsFromEnvironment({
    [file]: "/etc/connections.json",
    LATCHKEY_CONNECTIONS: "acme-eu",
    LATCHKEY_CONNECTION_ACME_EU_MAX_AGE: "5",
  });
  expect(secretsOf(text, both)).toEqual({
    connections: { ...connections, "acme-eu": { ...connections["acme-eu"], maxAge: 5 } },
  });
});

test("a connections file that cannot be used is a fault, not an app with fewer connections [MX-004]", () => {
  const read = optionsFromEnvironment({ ...variables, LATCHKEY_CONNECTIONS_FILE: "/etc/c.json" });
  for (const text of [texts(), texts({ LATCHKEY_CONNECTIONS_FILE: "[]" })]) {
    const options = { ...read.options, ...secretsOf(text, read) };
    expect(faultsOf(options).map(({ option }) => option)).toEqual(["connections"]);
  }
});

test.each([
  ["CONNECTION_GOOGLE_CLIENT_IDD", "Did you mean LATCHKEY_CONNECTION_GOOGLE_CLIENT_ID?"],
  ["CONNECTION_GOOGEL_CLIENT_ID", "Did you mean LATCHKEY_CONNECTION_GOOGLE_CLIENT_ID?"],
  ["CONNECTION_INITECH_CLIENT_ID", "Add initech to LATCHKEY_CONNECTIONS, or remove it."],
  ["CONNECTION_ACME_CLIENT_ID", "Did you mean LATCHKEY_CONNECTION_ACME_EU_CLIENT_ID?"],
  ["CONNECTION_GOOGLE_BASE_URL", "Did you mean LATCHKEY_CONNECTION_GOOGLE_ISSUER_BASE_URL?"],
  ["CONNECTIONS_FILES", "Did you mean LATCHKEY_CONNECTIONS_FILE?"],
  ["CONECTIONS", "Did you mean LATCHKEY_CONNECTIONS?"],
])("LATCHKEY_%s is warned of [MX-004]", (name, remedy) => {
  const { warnings } = optionsFromEnvironment({ ...variables, [`LATCHKEY_${name}`]: "x" });
  expect(warnings).toEqual([
    `LATCHKEY_${name} is set, but there is no setting of that name. ${remedy}`,
  ]);
});

test("quotation marks, a secret set twice and an id named twice are warned of [MX-004]", () => {
  const { warnings } = optionsFromEnvironment({
    ...variables,
    LATCHKEY_CONNECTIONS: "google acme-eu google beta",
    LATCHKEY_CONNECTION_GOOGLE_CLIENT_ID: '"g"',
    LATCHKEY_CONNECTION_ACME_EU_CLIENT_SECRET: "another-secret",
  });
  expect(warnings).toEqual([
    "LATCHKEY_CONNECTIONS has google twice. Remove one of them.",
    expect.stringContaining("marks around LATCHKEY_CONNECTION_GOOGLE_CLIENT_ID"),
    expect.stringContaining("LATCHKEY_CONNECTION_ACME_EU_CLIENT_SECRET_FILE are both set"),
  ]);
});

test("two ids with a variable in common are a fault [MX-004]", () => {
  const uses = "default";
  const ids = (...all: readonly string[]) => Object.fromEntries(all.map((id) => [id, { uses }]));
  const faultsIn = (given: object) =>
    faultsOf({ ...optionsFromEnvironment(goodVariables).options, connections: given }).map(
      ({ option }) => option,
    );
  expect(faultsIn(ids("acme-refetch", "acme"))).toEqual(["connections.acme-refetch"]);
  expect(faultsIn(ids("acme", "acme-client", "acme-session", "a-refetch"))).toEqual([]);
});
