import { startProvider } from "@latchkey/provider";
import { parseEnv } from "node:util";
import { expect, onTestFinished, test } from "vitest";

import { clientSecret, connect, provider } from "./connecting.ts";
import { createProject, readFiles } from "./project.ts";

test("connect --connection writes one more provider beside the flat settings [MX-004]", async () => {
  const redirectURI = "http://localhost:3000/api/auth/callback/acme-corp";
  const { issuer } = await provider({ redirectURI });
  const own = "LATCHKEY_ISSUER_BASE_URL=https://id.example\nLATCHKEY_CLIENT_ID=shop\n";
  const folder = createProject({ ".env.local": `${own}LATCHKEY_CONNECTIONS=globex\n` });
  const args = [issuer, "--connection", "acme-corp", "--client-id", "my-app"];
  const { exitCode, stdout, stderr } = await connect(folder, ...args);
  expect([exitCode, stderr]).toEqual([0, ""]);
  expect(stdout).toContain(`redirect_uris:\n${redirectURI}\n`);
  expect(stdout).toContain(
    "Users sign in there at /api/auth/login/acme-corp, and where they choose; LATCHKEY_CONNECTION_ACME_CORP_LABEL is its name there.",
  );
  expect(parseEnv(readFiles(folder)[".env.local"] ?? "")).toMatchObject({
    LATCHKEY_BASE_URL: "http://localhost:3000",
    LATCHKEY_ISSUER_BASE_URL: "https://id.example",
    LATCHKEY_CLIENT_ID: "shop",
    LATCHKEY_CONNECTIONS: "globex acme-corp",
    LATCHKEY_IDENTITY: "issuer+sub",
    LATCHKEY_CONNECTION_ACME_CORP_ISSUER_BASE_URL: issuer,
    LATCHKEY_CONNECTION_ACME_CORP_CLIENT_ID: "my-app",
    LATCHKEY_CONNECTION_ACME_CORP_CLIENT_SECRET: clientSecret,
  });
});

test("connect writes a client that knows the address of each host [MX-004]", async () => {
  const hosts = ["http://localhost:3000", "http://shop.localhost:3000"];
  const redirectURIs = hosts.map((host) => `${host}/api/auth/callback/acme`);
  const client = { id: "my-app", secret: clientSecret, redirectURIs };
  const running = await startProvider({ clients: [client] });
  onTestFinished(() => running.close());
  const own = "LATCHKEY_ISSUER_BASE_URL=https://id.example\n";
  const folder = createProject({ ".env.local": `${own}LATCHKEY_BASE_URL="${hosts.join(" ")}"\n` });
  const args = [running.issuer, "--connection", "acme", "--client-id", "my-app"];
  const { exitCode, stdout, stderr } = await connect(folder, ...args);
  expect([exitCode, stderr]).toEqual([0, ""]);
  const landings = hosts.map((host) => `${host}/_auth/signed-out`);
  expect(stdout).toContain(`redirect_uris:\n${redirectURIs.join("\n")}\n`);
  expect(stdout).toContain(`post_logout_redirect_uris:\n${landings.join("\n")}\n`);
  expect(parseEnv(readFiles(folder)[".env.local"] ?? "")).toMatchObject({
    LATCHKEY_BASE_URL: hosts.join(" "),
    LATCHKEY_CONNECTION_ACME_CLIENT_ID: "my-app",
  });
  const third = [...args, "--base-url", [...hosts, "http://other.localhost:3000"].join(" ")];
  const refused = await connect(folder, ...third);
  expect(refused.exitCode).toBe(1);
  expect(refused.stdout).toContain(
    "refuses http://other.localhost:3000/api/auth/callback/acme: register exactly this address",
  );
});

test("connect says which provider it replaces, and how to add one instead", async () => {
  const { issuer } = await provider();
  const former = "LATCHKEY_ISSUER_BASE_URL=https://id.example\n";
  const folder = createProject({ ".env.local": former });
  const words = "The app signs in at https://id.example. This provider takes its place;";
  expect((await connect(folder, issuer)).stdout).toContain(words);
  expect((await connect(folder, issuer, "--connection", "acme")).stdout).not.toContain(words);
  expect((await connect(folder, issuer, "--connection", "acme")).stdout).toContain(
    `Connection acme. Your provider: ${issuer}`,
  );
});

test("connect --connection registers the address of the connection, by itself", async () => {
  const { issuer } = await provider({ registration: true });
  const folder = createProject({});
  const args = [issuer, "--connection", "acme", "--register"];
  const { exitCode, stdout, stderr } = await connect(folder, ...args);
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining("without --connection")]);
  expect(stdout).toContain("http://localhost:3000/api/auth/callback/acme");
  const written = parseEnv(readFiles(folder)[".env.local"] ?? "");
  expect(Object.keys(written)).toContain("LATCHKEY_CONNECTION_ACME_CLIENT_SECRET");
  expect((await connect(folder, ...args)).stderr).toContain(
    "Remove LATCHKEY_CONNECTION_ACME_CLIENT_ID to register another one.",
  );
});

test.each(["default", "Acme", "a b", "-a"])("connect refuses %j as a connection", async (id) => {
  const { exitCode, stderr } = await connect(createProject({}), "id.example", `--connection=${id}`);
  expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/^--connection .+\. .+\n$/)]);
});
