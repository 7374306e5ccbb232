import { randomUUID } from "node:crypto";

import { startProvider } from "@latchkey/provider";
import { describe, expect, onTestFinished, test } from "vitest";

import { protect } from "../../src/adapters/node.ts";
import { createAuth, type Options } from "../../src/index.ts";
import { relay } from "../../src/relay/index.ts";
import { startServer } from "../servers/server.ts";
import { clientSecret, secret } from "./doctor-world.ts";
import { createProject } from "./project.ts";
import { runLatchkey } from "./run-latchkey.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** An app with two providers, and at two hosts: `localhost` and `app.localhost` of one port. */
interface World {
  readonly variables?: (at: Addresses) => Variables;
  readonly options?: (at: Addresses) => Partial<Options>;
  readonly files?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** Where the provider of `acme` sends users, beside the address of the app. */
  readonly acme?: (at: Addresses) => Parameters<typeof startProvider>[0];
  readonly main?: (at: Addresses) => Parameters<typeof startProvider>[0];
}

interface Addresses {
  readonly app: string;
  readonly issuer: string;
  readonly acme: string;
}

async function found(world: World): Promise<readonly string[]> {
  const server = await startServer();
  onTestFinished(server.close);
  const app = `http://localhost:${new URL(server.origin).port}`;
  const draft = { app, issuer: "", acme: "" };
  const [main, acme] = await Promise.all([
    startProvider({ appURL: app, clientSecret, ...world.main?.(draft) }),
    startProvider({
      redirectURI: `${app}/api/auth/callback/acme`,
      appURL: app,
      clientSecret,
      ...world.acme?.(draft),
    }),
  ]);
  onTestFinished(async () => void (await Promise.all([main.close(), acme.close()])));
  const at = { app, issuer: main.issuer, acme: acme.issuer };
  const variables: Variables = {
    LATCHKEY_BASE_URL: app,
    LATCHKEY_ISSUER_BASE_URL: at.issuer,
    LATCHKEY_CLIENT_ID: "latchkey",
    LATCHKEY_CLIENT_SECRET: clientSecret,
    LATCHKEY_SECRET: secret,
    LATCHKEY_IDENTITY: "issuer+sub",
    LATCHKEY_CONNECTIONS: "acme",
    LATCHKEY_CONNECTION_ACME_ISSUER_BASE_URL: at.acme,
    LATCHKEY_CONNECTION_ACME_CLIENT_ID: "latchkey",
    LATCHKEY_CONNECTION_ACME_CLIENT_SECRET: clientSecret,
    ...world.variables?.(at),
  };
  const lines = Object.entries(variables).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  );
  const cwd = createProject({ ".env.local": lines.join("\n"), ...world.files });
  if (world.args === undefined) {
    const auth = createAuth({
      secret,
      baseURL: app,
      issuerBaseURL: at.issuer,
      clientID: "latchkey",
      clientSecret,
      identity: "issuer+sub",
      connections: {
        acme: { issuerBaseURL: at.acme, clientID: "latchkey", clientSecret },
      },
      log: () => undefined,
      ...world.options?.(at),
    });
    server.serve(protect(auth, (_request, response) => void response.end("app")));
  }
  const { stdout } = await runLatchkey(world.args ?? ["doctor", app], { cwd });
  return stdout
    .split("\n\n")
    .filter((each) => /^(?:FAILED|warning) /.test(each))
    .map((each) => each.replace(/^\w+ +/, "").replaceAll("\n", " "));
}

const acmeOnly = {
  LATCHKEY_CONNECTION_ACME_CLIENT_ID: undefined,
  LATCHKEY_CONNECTION_ACME_CLIENT_SECRET: undefined,
};
const twoHosts = ({ app }: Addresses) => ({
  LATCHKEY_BASE_URL: `${app} ${app.replace("localhost", "second.localhost")}`,
});
const callbacks = (app: string, path = "") =>
  [app, app.replace("localhost", "second.localhost")].map(
    (each) => `${each}/api/auth/callback${path}`,
  );
const bothHosts = ({ app }: Addresses) => ({
  baseURL: [app, app.replace("localhost", "second.localhost")],
});
const relaySecret = randomUUID() + randomUUID();

/** The app is a preview, whose responses return by the relay at another address. */
async function withRelay(secretOfRelay: string, origins?: readonly string[]): Promise<World> {
  const production = await startServer();
  onTestFinished(production.close);
  const url = `http://localhost:${new URL(production.origin).port}`;
  return {
    main: () => ({ redirectURI: `${url}/api/auth/callback` }),
    acme: () => ({ redirectURI: `${url}/api/auth/callback/acme` }),
    options({ app, issuer }) {
      const auth = createAuth({
        secret: "another-secret-of-production-0123456789abc",
        baseURL: url,
        issuerBaseURL: issuer,
        clientID: "latchkey",
        clientSecret,
        log: () => undefined,
        relay: relay({ secret: secretOfRelay, origins: origins ?? [app] }),
      });
      production.serve(protect(auth, (_request, response) => void response.end("production")));
      return { relay: relay({ secret: relaySecret, url }) };
    },
  };
}

describe("nothing is found of", () => {
  test.each<readonly [string, World]>([
    ["two providers", {}],
    ["two providers, one of them alone", { args: ["doctor", "--connection", "acme"] }],
    [
      "two hosts, whose redirect URIs are registered",
      {
        variables: twoHosts,
        options: bothHosts,
        main: ({ app }) => ({ client: { redirectURIs: callbacks(app) } }),
        acme: ({ app }) => ({ client: { redirectURIs: callbacks(app, "/acme") } }),
      },
    ],
    [
      "an organization at the client of another connection",
      {
        variables: () => ({
          ...acmeOnly,
          LATCHKEY_CONNECTION_ACME_ISSUER_BASE_URL: undefined,
          LATCHKEY_CONNECTION_ACME_USES: "default",
          LATCHKEY_CONNECTION_ACME_ORGANIZATION: "org_acme",
        }),
        options: () => ({ connections: { acme: { uses: "default", organization: "org_acme" } } }),
      },
    ],
  ])("%s", async (_name, world) => {
    expect(await found(world)).toEqual([]);
  });

  test("a preview behind a relay, whose own address no provider knows", async () => {
    expect(await found(await withRelay(relaySecret))).toEqual([]);
  });
});

const offline = ["doctor", "--offline"];

test.each<readonly [string, RegExp, World]>([
  [
    "an id is misspelt",
    /^D0\d .*AMCE/,
    {
      args: offline,
      variables: () => ({ LATCHKEY_CONNECTION_AMCE_LABEL: "Acme" }),
    },
  ],
  [
    "a domain is claimed twice",
    /^D01 .*GLOBEX_DOMAINS acme\.example belongs to acme/,
    {
      args: offline,
      variables: ({ acme }) => ({
        LATCHKEY_CONNECTIONS: "acme globex",
        LATCHKEY_CONNECTION_ACME_DOMAINS: "acme.example",
        LATCHKEY_CONNECTION_GLOBEX_ISSUER_BASE_URL: acme,
        LATCHKEY_CONNECTION_GLOBEX_CLIENT_ID: "globex",
        LATCHKEY_CONNECTION_GLOBEX_CLIENT_SECRET: clientSecret,
        LATCHKEY_CONNECTION_GLOBEX_DOMAINS: "acme.example",
      }),
    },
  ],
  [
    "a client stands at the issuer of another connection",
    /^D20 .*acme.*does not know the client acme-client/,
    {
      args: ["doctor"],
      variables: ({ issuer }) => ({
        LATCHKEY_CONNECTION_ACME_ISSUER_BASE_URL: issuer,
        LATCHKEY_CONNECTION_ACME_CLIENT_ID: "acme-client",
      }),
    },
  ],
  [
    "the redirect URI of the second host is not registered",
    /^D21 .*refuses the redirect address http:\/\/second\.localhost:\d+\/api\/auth\/callback\./,
    {
      variables: twoHosts,
      options: bothHosts,
      acme: ({ app }) => ({ client: { redirectURIs: callbacks(app, "/acme") } }),
    },
  ],
  [
    "the redirect URI of a connection is not registered at the second host",
    /^D21 .*acme.*second\.localhost:\d+\/api\/auth\/callback\/acme/,
    {
      variables: twoHosts,
      options: bothHosts,
      main: ({ app }) => ({ client: { redirectURIs: callbacks(app) } }),
    },
  ],
  [
    "the app is asked at a host that is not in the list",
    /^D29 .*stranger\.localhost/,
    { args: ["doctor", "http://stranger.localhost:4999"], variables: twoHosts },
  ],
  [
    "the file of connections is no JSON",
    /^D0\d .*connections\.json/,
    {
      args: offline,
      files: { "connections.json": '{ "acme": { "clientID": "a", } }' },
      variables: () => ({
        ...acmeOnly,
        LATCHKEY_CONNECTIONS: undefined,
        LATCHKEY_CONNECTION_ACME_ISSUER_BASE_URL: undefined,
        LATCHKEY_CONNECTIONS_FILE: "connections.json",
      }),
    },
  ],
  [
    "a connection uses an unknown one",
    /^D01 .*USES.*gamma/,
    {
      args: offline,
      variables: () => ({
        ...acmeOnly,
        LATCHKEY_CONNECTION_ACME_ISSUER_BASE_URL: undefined,
        LATCHKEY_CONNECTION_ACME_USES: "gamma",
      }),
    },
  ],
  [
    "two connections have one client and no organization",
    /^D01 .*is the client of default/,
    {
      args: offline,
      variables: ({ issuer }) => ({ LATCHKEY_CONNECTION_ACME_ISSUER_BASE_URL: issuer }),
    },
  ],
  [
    "responses are posted to a host over http",
    /^D11 .*ACME_RESPONSE_MODE/,
    {
      args: offline,
      variables: () => ({
        LATCHKEY_BASE_URL: "http://app.example.com",
        LATCHKEY_CONNECTION_ACME_RESPONSE_MODE: "form_post",
      }),
    },
  ],
])("the first finding is the cause if %s", async (_name, expected, world) => {
  expect((await found(world))[0]).toMatch(expected);
});

test.each([
  ["has another secret", randomUUID() + randomUUID(), undefined],
  ["does not list the preview", relaySecret, ["https://*.example.com"]],
])("the first finding is the relay, if it %s", async (_name, secretOfRelay, origins) => {
  const [first] = await found(await withRelay(secretOfRelay, origins));
  expect(first).toMatch(/^D21 .*The relay at .* does not send responses on/);
});
