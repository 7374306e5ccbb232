import { readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { parseEnv } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";

import { dialects } from "../../src/cli/connect/dialects.ts";
import { clientSecret, connect, provider } from "./connecting.ts";
import { createProject, manifest, readFiles } from "./project.ts";

/** A server with one answer. */
async function serve(type: string, body: string, location?: string): Promise<string> {
  const server = createServer((_, response) => {
    if (location !== undefined) response.writeHead(302, { Location: location });
    else response.setHeader("Content-Type", type);
    response.end(body);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("connect prints the addresses to register, one a line, and writes nothing [FH-014]", async () => {
  const { issuer } = await provider();
  const folder = createProject({});
  const { exitCode, stdout } = await connect(folder, issuer);
  expect(exitCode).toBe(0);
  expect(stdout).toContain(
    "redirect_uris:\nhttp://localhost:3000/api/auth/callback\npost_logout_redirect_uris:\nhttp://localhost:3000/_auth/signed-out\n",
  );
  expect(readFiles(folder)).toEqual({});
});

test("connect writes settings that were tested, and prints no secret [FH-013] [FH-016]", async () => {
  const { issuer } = await provider();
  const folder = createProject({ ".env.local": "# mine\nLATCHKEY_CLIENT_ID=former\n" });
  const discovery = `${issuer}/.well-known/openid-configuration`;
  const { exitCode, stdout, stderr } = await connect(folder, discovery, "--client-id", "my-app");
  expect([exitCode, stderr]).toEqual([0, ""]);
  const files = readFiles(folder);
  expect(files[".env.local"]).toMatch(
    new RegExp(
      `^# mine\n# LATCHKEY_CLIENT_ID=former\nLATCHKEY_CLIENT_ID=my-app\n[^]*LATCHKEY_ISSUER_BASE_URL=${issuer}\n`,
    ),
  );
  expect(files[".env.local"]).toContain(`LATCHKEY_CLIENT_SECRET=${clientSecret}\n`);
  expect(files[".gitignore"]).toBe("node_modules/\n.env.local\n");
  expect(statSync(path.join(folder, ".env.local")).mode & 0o777).toBe(0o600);
  expect(stdout).not.toContain(clientSecret);
});

test.each([
  ["a wrong secret", ["--client-secret-file", "wrong"], /refuses the client/],
  ["an unregistered address", ["--base-url", "http://localhost:3999"], /refuses http/],
])("connect writes nothing with %s unless it is forced [FH-013]", async (_, more, text) => {
  const { issuer } = await provider();
  const files = { wrong: "another-secret\n" };
  const folder = createProject(files);
  const args = [issuer, "--client-id", "my-app", ...more];
  const { exitCode, stdout } = await connect(folder, ...args);
  expect([exitCode, stdout]).toEqual([1, expect.stringMatching(text)]);
  expect(readFiles(folder)).toEqual(files);
  expect((await connect(folder, ...args, "--force")).exitCode).toBe(0);
  expect(readFiles(folder)).toHaveProperty([".env.local"]);
});

test.each([
  ["a web page", "text/html", "<h1>Hello</h1>", /has no metadata of a provider, but a web page/],
  [
    "another issuer",
    "application/json",
    '{"issuer":"https://id.example.com"}',
    /calls itself https:\/\/id\.example\.com\. If this is your provider/,
  ],
])("connect to %s ends with one sentence [FH-013]", async (_, type, body, text) => {
  const folder = createProject({});
  const { exitCode, stderr } = await connect(folder, await serve(type, body), "--client-id", "a");
  expect([exitCode, stderr]).toEqual([1, expect.stringMatching(text)]);
  expect(stderr.trim()).not.toContain("\n");
  expect(readFiles(folder)).toEqual({});
});

test.each([
  ["another host over http", "http://id.example.com", /is http, which is for providers on this/],
  ["nothing of an address", "https://", /no address of a provider/],
  ["a host without an address", "https://id.invalid", /id\.invalid cannot be reached: /],
])("connect to %s ends with one sentence", async (_, address, text) => {
  const { exitCode, stderr } = await connect(createProject({}), address);
  expect([exitCode, stderr]).toEqual([1, expect.stringMatching(text)]);
  expect(stderr.trim()).not.toContain("\n");
});

test("connect to many tenants of Entra ID names both ways to go on", async () => {
  const issuer = "https://login.microsoftonline.com/{tenantid}/v2.0";
  const address = await serve("application/json", JSON.stringify({ issuer }));
  const { exitCode, stderr } = await connect(createProject({}), `${address}/organizations/v2.0`);
  expect([exitCode, stderr]).toEqual([
    1,
    expect.stringMatching(/connect http:\S+\/<tenant id>\/v2\.0\. For several.*LATCHKEY_TENANTS/),
  ]);
});

test("connect takes an empty base URL of an example for none", async () => {
  const { issuer } = await provider();
  const folder = createProject({ ".env.local": "LATCHKEY_BASE_URL=\n" });
  const { exitCode, stdout } = await connect(folder, issuer);
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining("http://localhost:3000/api")]);
});

test("connect to an address that redirects names its target without the query", async () => {
  const address = await serve("", "", "https://login.example.com/start?session=canary");
  const { stderr } = await connect(createProject({}), address);
  expect(stderr).toMatch(/redirects to https:\/\/login\.example\.com\/start: name the issuer/);
});

test("connect prints the addresses of the routes that the settings name", async () => {
  const { issuer } = await provider();
  const folder = createProject({
    ".env": "LATCHKEY_ROUTES_PREFIX=/auth\nLATCHKEY_PAGES_PREFIX=/me\n",
  });
  const { stdout } = await connect(folder, issuer, "--base-url", "http://localhost:3000/");
  expect(stdout).toContain("http://localhost:3000/auth/callback\n");
  expect(stdout).toContain("http://localhost:3000/me/signed-out\n");
});

test("connect with a base URL that is no address ends with one sentence", async () => {
  const { exitCode, stderr } = await connect(createProject({}), "id.example", "--base-url", "app");
  expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/^LATCHKEY_BASE_URL [^\n]+\n$/)]);
});

test("connect with a missing file of the secret exits with 2 and names the file", async () => {
  const { issuer } = await provider();
  const args = [issuer, "--client-id", "my-app", "--client-secret-file", "no-file"];
  const { exitCode, stderr } = await connect(createProject({}), ...args);
  expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/no-file cannot be read: no such/)]);
});

describe("registration by the provider itself [FH-015]", () => {
  test("is shown, and not done without consent", async () => {
    const { issuer, requests } = await provider({ registration: true });
    const folder = createProject({});
    const { exitCode, stdout } = await connect(folder, issuer);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining("It does so with --register.")]);
    expect(stdout).toContain('"redirect_uris": [\n    "http://localhost:3000/api/auth/callback"');
    expect(requests.filter(({ method }) => method === "POST")).toEqual([]);
    expect(readFiles(folder)).toEqual({});
  });

  test("with --register writes a client that was tested, once, and prints no secret", async () => {
    const { issuer } = await provider({ registration: true });
    const folder = createProject({});
    const { exitCode, stdout, stderr } = await connect(folder, issuer, "--register");
    expect([exitCode, stderr]).toEqual([0, ""]);
    const { ".env.local": settings = "" } = readFiles(folder);
    const secrets = ["LATCHKEY_CLIENT_SECRET", "OIDC_REGISTRATION_TOKEN"].map(
      (name) => new RegExp(`^${name}=(.{20,})$`, "m").exec(settings)?.[1] ?? "missing",
    );
    for (const secret of secrets) expect(stdout).not.toContain(secret);
    expect(secrets).not.toContain("missing");
    const again = await connect(folder, issuer, "--register");
    expect([again.exitCode, again.stderr]).toEqual([1, expect.stringMatching(/has the client/)]);
  });

  test("does not begin in a folder that cannot keep the secret", async () => {
    const { issuer, requests } = await provider({ registration: true });
    const args = [issuer, "--register", "--cwd", "missing"];
    const { exitCode, stderr } = await connect(createProject({}), ...args);
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/env\.local cannot be written/)]);
    expect(requests.filter(({ method }) => method === "POST")).toEqual([]);
  });

  test("is refused in one sentence by a provider that does not offer it", async () => {
    const { issuer } = await provider();
    const { exitCode, stderr } = await connect(createProject({}), issuer, "--register");
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/registers no app by itself/)]);
  });
});

/** A provider that registers apps and answers every registration with this. */
async function registering(client: object, more: object = {}) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const metadata = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      registration_endpoint: `${issuer}/register`,
      ...more,
    };
    const isMetadata = request.url?.includes(".well-known") === true;
    response.end(JSON.stringify(isMetadata ? metadata : client));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close());
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

describe("what a provider sends at a registration", () => {
  test.each([
    ["a line break", { client_id: "app", client_secret: "a'\nNODE_OPTIONS=--inspect\n'" }],
    ["both quotation marks", { client_id: "app", client_secret: `a'b"c` }],
    ["an escape sequence", { client_id: "app\u001b[2J", client_secret: "secret" }],
  ])("is not written with %s [S32]", async (_, client) => {
    const { address } = await registering(client);
    const files = { ".env.local": "# mine\n" };
    const folder = createProject(files);
    const { exitCode, stdout, stderr } = await connect(folder, address, "--register");
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/client_\w+ with control/)]);
    expect(readFiles(folder)).toEqual(files);
    expect(stdout + stderr).not.toContain("\u001b");
  });

  test.each([
    `a#b c'd`,
    `a"b$\{HOME}`,
    "a\\nb",
    "a`b=",
    "$(touch x)",
    "plain-secret_~.+/=",
    "a;b|c&d",
  ])("is read back as it was: %j [S32]", async (secret) => {
    const { address } = await registering({ client_id: "app", client_secret: secret });
    const folder = createProject({ ".env.local": "LATCHKEY_CLIENT_SECRET=1\nOTHER=2\n" });
    await connect(folder, address, "--register");
    const read = parseEnv(readFiles(folder)[".env.local"] ?? "");
    expect([read["LATCHKEY_CLIENT_SECRET"], read["OTHER"]]).toEqual([secret, "2"]);
  });

  test("gets a warning if the framework reads another value than is written", async () => {
    const { address } = await registering({ client_id: "app", client_secret: "a$HOME" });
    const folder = createProject({ "package.json": manifest(["next"]) });
    const { stderr } = await connect(folder, address, "--register");
    expect(stderr).toMatch(/a \$ in LATCHKEY_CLIENT_SECRET, and Next\.js .*Write \\\$/);
    expect(stderr).not.toContain("HOME");
  });

  test("changes no file whose quotation mark has no end, and registers nothing [S32]", async () => {
    const { address, requests } = await registering({ client_id: "app", client_secret: "b" });
    const files = { ".env.local": 'OTHER="one\nLATCHKEY_CLIENT_ID=app\nLAST="two"\n' };
    const folder = createProject(files);
    const { exitCode, stderr } = await connect(folder, address, "--register");
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/another value: correct/)]);
    expect(readFiles(folder)).toEqual(files);
    expect(requests.filter((each) => each.startsWith("POST"))).toEqual([]);
  });

  test("counts although a variable was there twice", async () => {
    const { address } = await registering({ client_id: "app", client_secret: "new" });
    const twice = "LATCHKEY_CLIENT_SECRET=one\nLATCHKEY_CLIENT_SECRET=two\n";
    const folder = createProject({ ".env.local": twice });
    await connect(folder, address, "--register");
    const read = parseEnv(readFiles(folder)[".env.local"] ?? "");
    expect(read["LATCHKEY_CLIENT_SECRET"]).toBe("new");
  });

  test.each([
    ["a name of a user", "http://user@127.0.0.1:1/register"],
    ["http on the network", "http://id.example/register"],
    ["no address", "register"],
  ])("is not requested from an endpoint with %s [S35]", async (_, registration_endpoint) => {
    const { address, requests } = await registering({}, { registration_endpoint });
    const { stderr } = await connect(createProject({}), address, "--register");
    expect(stderr).toMatch(/registers no app by itself/);
    expect(requests).toEqual(["GET /.well-known/openid-configuration"]);
  });
});

test("connect sends no secret to an endpoint that the engine refuses [S35]", async () => {
  const token_endpoint = "http://id.example/token";
  const { address, requests } = await registering({}, { token_endpoint });
  const { exitCode, stdout } = await connect(createProject({}), address, "--client-id", "app");
  expect([exitCode, stdout]).toEqual([1, expect.stringMatching(/metadata .* token_endpoint is/)]);
  expect(requests.filter((each) => !each.startsWith("GET /"))).toEqual([]);
});

test("what a provider says reaches the terminal without escape sequences [S36]", async () => {
  const issuer = "https://id.example/\u001b]0;owned\u0007\u202e;rm -rf ~\n$(id)";
  const address = await serve("application/json", JSON.stringify({ issuer }));
  const { stderr } = await connect(createProject({}), address);
  expect(stderr).toMatch(/^The provider at \S+ calls itself https:\/\/id\.example\/.*\n$/);
  expect(["\u001b", "\u0007", "\u202e", "connect"].filter((each) => stderr.includes(each))).toEqual(
    [],
  );
});

test("connect to a host that does not answer names it", async () => {
  const { stderr } = await connect(createProject({}), "http://127.0.0.1:9");
  expect(stderr).toMatch(/^http:\/\/127\.0\.0\.1:9 cannot be reached: /);
});

test.each(dialects.map(({ id, ...dialect }) => [id, dialect] as const))(
  "the fields of %s are those of its page [FH-014]",
  (id, { fields, clientID, choices = [], variables = {} }) => {
    const docs = path.join(import.meta.dirname, "../../../../docs/providers");
    const page = readFileSync(path.join(docs, `${id}.md`), "utf8");
    const shown = [
      fields.callback,
      fields.signedOut ?? fields.callback,
      clientID,
      ...choices.map(([field]) => field),
      ...Object.entries(variables).map((each) => each.join("=")),
    ];
    const missing = shown.filter((name) => !page.includes(name));
    expect(missing).toEqual(id === "google" ? ["Client ID"] : []);
  },
);
