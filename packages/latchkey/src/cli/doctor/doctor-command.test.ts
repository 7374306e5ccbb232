import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { defaultClientSecret, startProvider } from "@latchkey/provider";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, onTestFinished, test } from "vitest";

import { protect } from "../../adapters/node.ts";
import { createAuth } from "../../index.ts";
import type { Finding } from "./finding.ts";
import { freePort } from "../../../test/servers/free-port.ts";
import { runLatchkey } from "../../../test/cli/run-latchkey.ts";

const canary = "canary-Jq3Ykq9wXm2Zr4LpV7nBT5dF8sH1gC6a";

function emptyFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "latchkey-doctor-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function projectAt(issuer: string, more: Readonly<Record<string, string>> = {}): string {
  const folder = emptyFolder();
  const variables = {
    LATCHKEY_BASE_URL: "http://localhost:3000",
    LATCHKEY_ISSUER_BASE_URL: issuer,
    LATCHKEY_CLIENT_ID: "latchkey",
    LATCHKEY_CLIENT_SECRET: `client-${canary}`,
    LATCHKEY_SECRET: canary,
    LATCHKEY_STORE: "memory:",
    ...more,
  };
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  writeFileSync(path.join(folder, ".env.local"), lines.join("\n"));
  return folder;
}

const run = (cwd: string, ...args: string[]) => runLatchkey(args, { cwd });

async function provider(): Promise<string> {
  const running = await startProvider();
  onTestFinished(() => running.close());
  return running.issuer;
}

test("latchkey doctor exits with 0 for a healthy project and leaves the folder as it was", async () => {
  const folder = projectAt(await provider());
  const before = readFileSync(path.join(folder, ".env.local"), "utf8");
  const { exitCode, stdout } = await run(folder, "doctor");
  expect([exitCode, stdout]).toEqual([
    0,
    expect.stringMatching(/\d+ in order, 0 failed.*\nNot asked: D20 client, .*--probe/),
  ]);
  expect(readdirSync(folder)).toEqual([".env.local"]);
  expect(readFileSync(path.join(folder, ".env.local"), "utf8")).toBe(before);
});

test("latchkey doctor exits with 1 and names the cause first", async () => {
  const folder = projectAt(`http://localhost:${await freePort()}`);
  const { exitCode, stdout } = await run(folder, "doctor");
  expect([exitCode, stdout]).toEqual([1, expect.stringMatching(/^\S*FAILED \S* D12/)]);
});

test("latchkey doctor names a value of the shell before what it breaks", async () => {
  const folder = projectAt(await provider());
  const other = `http://localhost:${await freePort()}`;
  const { stdout } = await runLatchkey(["doctor"], {
    cwd: folder,
    environment: { LATCHKEY_ISSUER_BASE_URL: other },
  });
  expect(stdout).toMatch(/^\S*warning\S* D05 [^]* D12 /);
});

/** A healthy app with a second client, at a provider that does not answer. */
async function projectWithAcme(): Promise<string> {
  return projectAt(await provider(), {
    LATCHKEY_IDENTITY: "issuer+sub",
    LATCHKEY_CONNECTIONS: "acme-eu beta",
    LATCHKEY_CONNECTION_ACME_EU_ISSUER_BASE_URL: `http://localhost:${await freePort()}`,
    LATCHKEY_CONNECTION_ACME_EU_CLIENT_ID: "acme",
    LATCHKEY_CONNECTION_ACME_EU_CLIENT_SECRET: `acme-${canary}`,
    LATCHKEY_CONNECTION_ACME_EU_BACKCHANNEL_LOGOUT: "true",
    LATCHKEY_CONNECTION_BETA_USES: "default",
  });
}

test("latchkey doctor asks the provider of each client, and names the connection [MX-013]", async () => {
  const folder = await projectWithAcme();
  const { exitCode, stdout } = await run(folder, "doctor", "--json");
  const { findings } = JSON.parse(stdout) as { findings: readonly Finding[] };
  const failures = findings.filter(({ verdict }) => verdict === "failure");
  expect([exitCode, failures]).toEqual([
    1,
    [
      expect.objectContaining({
        id: "D12",
        connection: "acme-eu",
        remedy: expect.stringContaining("LATCHKEY_CONNECTION_ACME_EU_"),
      }),
    ],
  ]);
  expect(findings.filter(({ id }) => id === "D21").map((each) => each.connection)).toEqual([
    undefined,
    "acme-eu",
  ]);
  expect(stdout).not.toContain(canary);
});

test("latchkey doctor --connection asks one provider and shows what to register [MX-013]", async () => {
  const folder = await projectWithAcme();
  const { stdout } = await run(folder, "doctor", "--connection", "acme-eu");
  expect(stdout).toMatch(/^\S*FAILED \S* D12 .* \(acme-eu\)/);
  const app = "http://localhost:3000/api/auth";
  expect(stdout).toContain(`${app}/callback/acme-eu (redirect URI)`);
  expect(stdout).toContain(`${app}/backchannel-logout/acme-eu (logout tokens)`);
  const ofDefault = await run(folder, "doctor", "--connection", "default");
  expect(ofDefault.stdout).toMatch(/0 failed/);
  expect(ofDefault.stdout).toContain(`${app}/callback (redirect URI)`);
});

test("latchkey doctor --offline --connection shows the addresses without a request [MX-013]", async () => {
  const folder = await projectWithAcme();
  const { stdout } = await run(folder, "doctor", "--offline", "--connection", "acme-eu");
  expect(stdout).toContain("/api/auth/callback/acme-eu (redirect URI)");
  expect(stdout).not.toContain("D12");
});

test("latchkey explain connections lists all of them without a secret [MX-013]", async () => {
  const { exitCode, stdout } = await run(await projectWithAcme(), "explain", "connections");
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^default \(localhost:\d+\)\n/);
  expect(stdout).toMatch(/\nacme-eu \(acme-eu\)\n {2}issuer {9}http:/);
  expect(stdout).toMatch(/redirect URI {3}http:\/\/localhost:3000\/api\/auth\/callback\/acme-eu\n/);
  expect(stdout).toMatch(/\nbeta \(beta\)\n {2}uses {11}the client of default\n/);
  expect(stdout).toContain("client secret  set");
  expect(stdout).not.toContain(canary);
});

test("latchkey doctor --connection names the connections there are [MX-013]", async () => {
  const { exitCode, stderr } = await run(await projectWithAcme(), "doctor", "--connection", "acme");
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("default, acme-eu, beta")]);
});

test("latchkey doctor takes a wrong base URL for the cause of a refused address", async () => {
  const { stdout } = await run(projectAt(await provider()), "doctor", "http://localhost:3999");
  expect(stdout).toMatch(/^\S*FAILED \S* D29 /);
});

/** An app with its settings in code. */
async function runningApp() {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "localhost", resolve));
  const baseURL = `http://localhost:${(server.address() as AddressInfo).port}`;
  const local = await startProvider({ appURL: baseURL });
  const auth = createAuth({
    secret: canary,
    baseURL,
    issuerBaseURL: local.issuer,
    clientID: "latchkey",
    clientSecret: defaultClientSecret,
    log: () => undefined,
  });
  let requests = 0;
  const app = protect(auth, (_request, response) => void response.end("the app"));
  server.on("request", app).on("request", () => void (requests += 1));
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await local.close();
  });
  return { baseURL, requests: () => requests };
}

test("settings in code are a note if the running app leads to a provider", async () => {
  const { baseURL } = await runningApp();
  const { exitCode, stdout } = await run(emptyFolder(), "doctor", baseURL);
  expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/D01 .* 0 failed, 0 warn/s)]);
});

test("settings in code are missing if the app does not lead to a provider", async () => {
  const address = `http://localhost:${await freePort()}`;
  const { stdout } = await run(emptyFolder(), "doctor", address);
  expect(stdout).toMatch(/^\S*FAILED \S* D01 .*\n.*No variable of Latchkey is set/);
});

test("the app gets no request at another address than the base URL", async () => {
  const { baseURL, requests } = await runningApp();
  const folder = projectAt(await provider(), { LATCHKEY_BASE_URL: baseURL });
  const other = baseURL.replace("localhost", "127.0.0.1");
  const { stdout } = await run(folder, "doctor", other, "--json");
  expect(reportFaults(JSON.parse(stdout))).toEqual([]);
  const app = JSON.parse(stdout).findings.filter((each: Finding) => /^D3[0-7]/.test(each.id));
  expect(app.map(({ verdict }: Finding) => verdict)).toEqual(Array(7).fill("not-asked"));
  expect(requests()).toBe(0);
});

const schema: object = JSON.parse(
  readFileSync(path.join(import.meta.dirname, "../../../../../docs/doctor.schema.json"), "utf8"),
);

/** What of a report the published schema does not allow. */
function reportFaults(report: unknown): readonly unknown[] {
  const validate = new Ajv2020({ formats: { uri: URL.canParse } }).compile(schema);
  return validate(report) ? [] : (validate.errors ?? []);
}

test("latchkey doctor --json prints one document without secrets", async () => {
  const folder = projectAt(await provider(), { LATCHKEY_SCOPE: canary });
  const { exitCode, stdout } = await run(folder, "doctor", "--json");
  expect(exitCode).toBe(1);
  expect(reportFaults(JSON.parse(stdout))).toEqual([]);
  expect(stdout.replaceAll(/seen: [^)]*/g, "")).not.toContain(canary);
});

test("latchkey doctor --offline sends no request", async () => {
  const folder = projectAt(`http://localhost:${await freePort()}`);
  expect((await run(folder, "doctor", "--offline")).exitCode).toBe(0);
});

test("latchkey doctor --strict fails on a warning", async () => {
  const folder = projectAt(await provider(), { LATCHKEY_SECRET: "kq9wXm2Zr4" });
  expect((await run(folder, "doctor")).exitCode).toBe(0);
  expect((await run(folder, "doctor", "--strict")).exitCode).toBe(1);
});

test("latchkey doctor exits with 2 if a file of settings cannot be read", async () => {
  const folder = projectAt("https://id.example.org");
  mkdirSync(path.join(folder, ".env"));
  const { exitCode, stderr } = await run(folder, "doctor");
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringMatching(/^\.env cannot be read: [^\n]+\n$/),
  ]);
});

test("an address of no store is named without its password", async () => {
  const store = `mysql://user:${canary}@localhost/db`;
  const { stdout } = await run(
    projectAt("http://localhost:9", { LATCHKEY_STORE: store }),
    "doctor",
  );
  expect(stdout).toContain("LATCHKEY_STORE is not the address of a store.");
  expect(stdout).not.toContain(canary);
});

test.each([["no address"], [`ftp://user:${canary}@app.example`]])(
  "latchkey doctor %j exits with 2",
  async (address) => {
    const { exitCode, stderr } = await run(projectAt("http://localhost:1"), "doctor", address);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("http or https address")]);
    expect(stderr).not.toContain(canary);
  },
);

test("latchkey check judges the settings as in production", async () => {
  const { exitCode, stdout } = await run(projectAt("http://localhost:1"), "check");
  expect([exitCode, stdout]).toEqual([1, expect.stringMatching(/D07[^]*no browser of a user/)]);
});

test.each([
  ["names another issuer", { issuer: "http://localhost:1" }, "D15"],
  ["names a token endpoint without TLS", { token_endpoint: "http://id.example/token" }, "D16"],
])("a probe sends no secret if the metadata %s", async (_, members, id) => {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const issuer = `http://${request.headers.host}`;
    const at = (route: string) => issuer + route;
    const endpoints = { authorization_endpoint: at("/authorize"), token_endpoint: at("/token") };
    const metadata = { issuer, ...endpoints, jwks_uri: at("/keys"), ...members };
    response.end(JSON.stringify(metadata));
  });
  await new Promise<void>((resolve) => void server.listen(0, "localhost", resolve));
  onTestFinished(() => void server.close());
  const folder = projectAt(`http://localhost:${(server.address() as AddressInfo).port}`);
  const { stdout } = await run(folder, "doctor", "--probe");
  expect(stdout).toMatch(new RegExp(`FAILED \\S* ${id} `));
  const others = requests.filter((each) => !/^GET \/(?:\.well-known|keys)/.test(each));
  expect(others).toEqual([]);
});

test("a store that cannot be reached is found without its password", async () => {
  const store = `redis://user:${canary}@localhost:${await freePort()}`;
  const { stdout } = await run(projectAt(await provider(), { LATCHKEY_STORE: store }), "doctor");
  expect(stdout).toMatch(/FAILED \S* D38/);
  expect(stdout).not.toContain(canary);
});
