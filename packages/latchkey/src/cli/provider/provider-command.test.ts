import { execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { type Outcome, runLatchkey } from "../../../test/cli/run-latchkey.ts";
import { freePort } from "../../../test/servers/free-port.ts";

const main = path.join(import.meta.dirname, "../main.ts");
const providerFolder = path.join(import.meta.dirname, "../../../../provider");

/** The folder of an app that has installed the provider. */
function appFolder(files: Readonly<Record<string, string>> = {}, isInstalled = true): string {
  const folder = mkdtempSync(path.join(tmpdir(), "latchkey app "));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  if (isInstalled) {
    mkdirSync(path.join(folder, "node_modules/@latchkey"), { recursive: true });
    symlinkSync(providerFolder, path.join(folder, "node_modules/@latchkey/provider"), "dir");
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return folder;
}

/** Runs the command in this process. Its apps print to a file, and their lines come last. */
async function latchkey(cwd: string, ...args: string[]): Promise<Outcome> {
  const printed = path.join(cwd, "printed");
  writeFileSync(
    path.join(cwd, "printing.mjs"),
    `import { appendFileSync } from "node:fs";
    console.log = (...words) => appendFileSync("printed", words.join(" ") + "\\n");`,
  );
  rmSync(printed, { force: true });
  const { PATH } = process.env;
  const environment = { PATH, NODE_OPTIONS: "--import=./printing.mjs" };
  const { stdout, ...outcome } = await runLatchkey(args, { cwd, environment });
  const ofApps = existsSync(printed) ? readFileSync(printed, "utf8") : "";
  return { ...outcome, stdout: stdout + ofApps };
}

/** Runs the command in a process of its own. */
function latchkeyAlone(
  cwd: string,
  ...args: string[]
): Promise<{ exitCode: unknown; stdout: string }> {
  const node = ["--conditions=@latchkey/source", "--disable-warning=ExperimentalWarning", main];
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE };
  return new Promise((resolve) => {
    execFile(process.execPath, [...node, ...args], { cwd, env }, (error, stdout) => {
      resolve({ exitCode: error === null ? 0 : error.code, stdout });
    });
  });
}

/** Prints what it is given, asks the provider for its metadata, and ends with the code 7. */
const app = `
  const { LATCHKEY_ISSUER_BASE_URL: issuer, LATCHKEY_BASE_URL: base } = process.env;
  const { LATCHKEY_CLIENT_ID: id, LATCHKEY_CLIENT_SECRET, LATCHKEY_SECRET } = process.env;
  const response = await fetch(issuer + "/.well-known/openid-configuration").catch(() => null);
  const metadata = await response?.json();
  const lengths = [LATCHKEY_CLIENT_SECRET?.length, LATCHKEY_SECRET?.length];
  console.log(JSON.stringify({ issuer, base, id, lengths, answers: metadata?.issuer }));
  process.exit(7);`;

test("latchkey provider starts the provider, then a command with its settings, and ends with the exit code of that", async () => {
  const folder = appFolder({ "app.mjs": app });
  const port = String(await freePort());
  const { exitCode, stdout } = await latchkeyAlone(
    folder,
    "provider",
    "--port",
    port,
    "--",
    "node",
    "app.mjs",
  );
  expect(exitCode).toBe(7);
  const issuer = `http://localhost:${port}`;
  expect(stdout).toContain("Open http://localhost:3000 as soon as the app has started");
  expect(JSON.parse(stdout.split("\n").find((line) => line.startsWith("{")) ?? "")).toEqual({
    issuer,
    base: "http://localhost:3000",
    id: "latchkey-local",
    lengths: [43, 43],
    answers: issuer,
  });
});

test("latchkey provider starts two commands with its settings, and ends both with the first that ends", async () => {
  const folder = appFolder({
    "app.mjs": `
      import { writeFileSync } from "node:fs";
      console.log(process.env.LATCHKEY_CLIENT_ID);
      writeFileSync("started", "");
      setInterval(() => {}, 1000);`,
    "end.mjs": `
      import { existsSync } from "node:fs";
      setInterval(() => existsSync("started") && process.exit(7), 20);`,
  });
  const port = String(await freePort());
  const options = ["--port", port, "--with", "node app.mjs"];
  const { exitCode, stdout } = await latchkey(
    folder,
    "provider",
    ...options,
    "--",
    "node",
    "end.mjs",
  );
  expect([exitCode, stdout]).toEqual([7, expect.stringContaining("latchkey-local\n")]);
});

test("latchkey provider keeps the secrets of a folder, and keeps them out of git", async () => {
  const folder = appFolder({ "app.mjs": "console.log(process.env.LATCHKEY_SECRET);" });
  const run = async () => {
    const port = String(await freePort());
    return (await latchkey(folder, "provider", "--port", port, "--", "node", "app.mjs")).stdout;
  };
  const secretOf = (output: string) => output.trim().split("\n").at(-1);
  expect(secretOf(await run())).toBe(secretOf(await run()));
  expect(readFileSync(path.join(folder, ".data/latchkey/.gitignore"), "utf8")).toBe("*\n");
});

test("latchkey provider takes base URL and secret of the app from .env.local", async () => {
  const port = String(await freePort());
  const own = `LATCHKEY_BASE_URL=http://localhost:5173\r\nLATCHKEY_ISSUER_BASE_URL="http://localhost:${port}"\r\n`;
  const folder = appFolder({ "app.mjs": app, ".env.local": `\uFEFF${own}` });
  const { stdout } = await latchkey(folder, "provider", "--", "node", "app.mjs");
  expect(stdout).toContain('"base":"http://localhost:5173"');
  expect(stdout).toContain(`"answers":"http://localhost:${port}"`);
});

test("latchkey provider takes the port from .env.local, also beside another one of the issuer", async () => {
  const port = await freePort();
  const variables = `LATCHKEY_PROVIDER_PORT=${port}\nLATCHKEY_ISSUER_BASE_URL=http://localhost:4000\n`;
  const folder = appFolder({ "app.mjs": app, ".env.local": variables });
  const { stdout } = await latchkey(folder, "provider", "--", "node", "app.mjs");
  expect(stdout).toContain(`"answers":"http://localhost:${port}"`);
});

/** Pushes the request for a token of an API, and prints what the provider makes of it. */
const asking = `
  const { LATCHKEY_ISSUER_BASE_URL: issuer, LATCHKEY_CLIENT_SECRET: secret } = process.env;
  const code_challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
  const redirect_uri = process.env.LATCHKEY_BASE_URL + "/api/auth/callback";
  for (const resource of process.argv.slice(2)) {
    const form = { client_id: "latchkey-local", client_secret: secret, response_type: "code" };
    const pkce = { code_challenge, code_challenge_method: "S256" };
    const body = new URLSearchParams({ ...form, ...pkce, scope: "openid read", redirect_uri, resource });
    const headers = { authorization: "Basic " + btoa("latchkey-local:" + secret) };
    body.delete("client_secret");
    const response = await fetch(issuer + "/request", { method: "POST", headers, body });
    console.log(resource, response.status);
  }`;

test("latchkey provider knows the APIs of --resource", async () => {
  const folder = appFolder({ "app.mjs": asking });
  const port = String(await freePort());
  const apis = ["--resource", "https://api.example.com read write", "--resource", "urn:other"];
  const asked = ["https://api.example.com", "urn:other", "https://unknown.example"];
  const options = ["--port", port, ...apis];
  const { stdout } = await latchkey(
    folder,
    "provider",
    ...options,
    "--",
    "node",
    "app.mjs",
    ...asked,
  );
  expect(stdout).toContain(
    "https://api.example.com 201\nurn:other 201\nhttps://unknown.example 400",
  );
});

test.each(["api", "https://api.example.com#part"])(
  "latchkey provider refuses %s as a resource",
  async (address) => {
    const { exitCode, stderr } = await latchkey(appFolder(), "provider", "--resource", address);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("address of an API")]);
  },
);

test("latchkey provider knows the APIs that the app calls", async () => {
  const [orders, invoices] = ["https://orders.example", "https://invoices.example"];
  const folder = appFolder({
    "app.mjs": asking,
    ".env.local": `LATCHKEY_RESOURCES="${orders}, ${invoices}"\nLATCHKEY_SCOPE="openid read"\n`,
  });
  const port = String(await freePort());
  const command = ["node", "app.mjs", orders, invoices, "https://unknown.example"];
  const { stdout } = await latchkey(folder, "provider", "--port", port, "--", ...command);
  expect(stdout).toContain(`${orders} 201\n${invoices} 201\nhttps://unknown.example 400`);
});

test("latchkey provider starts only the command if the app signs in at another provider", async () => {
  const folder = appFolder({
    "app.mjs": "console.log(process.env.LATCHKEY_CLIENT_ID ?? 'no variable');",
    ".env.local": "LATCHKEY_ISSUER_BASE_URL=https://id.example.com\n",
  });
  const { exitCode, stdout } = await latchkey(folder, "provider", "--", "node", "app.mjs");
  expect([exitCode, stdout]).toEqual([
    0,
    "Your app signs in at https://id.example.com, so the local provider is not started.\nno variable\n",
  ]);
});

test("latchkey provider names the command that installs the provider if it is missing", async () => {
  const { exitCode, stderr } = await latchkey(appFolder({}, false), "provider");
  expect([exitCode, stderr]).toEqual([
    1,
    "The local provider is not installed. Run: npm install --save-dev @latchkey/provider\n",
  ]);
});

async function takePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "localhost", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test("latchkey provider warns if another program has the address of the app", async () => {
  const [free, taken] = [await freePort(), await takePort()];
  const run = (port: number) => {
    const baseURL = `LATCHKEY_BASE_URL=http://localhost:${port}\n`;
    const folder = appFolder({ "app.mjs": "", ".env.local": baseURL });
    return latchkey(folder, "provider", "--port", String(free), "--", "node", "app.mjs");
  };
  expect((await run(taken)).stderr).toMatch(/^Another program already answers at http:/);
  expect((await run(await freePort())).stderr).toBe("");
});

test("latchkey provider names the port if it is taken", async () => {
  const port = await takePort();
  const { exitCode, stderr } = await latchkey(appFolder(), "provider", "--port", String(port));
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`Port ${port} is taken.`)]);
});

test.each([["0"], ["65536"], ["web"]])("latchkey provider refuses %s as a port", async (port) => {
  const { exitCode, stderr } = await latchkey(appFolder(), "provider", "--port", port);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("from 1 to 65535")]);
});

test("latchkey provider explains a command that does not exist", async () => {
  const port = String(await freePort());
  const { exitCode, stderr } = await latchkey(
    appFolder(),
    "provider",
    "--port",
    port,
    "--",
    "no-app",
  );
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining("no-app cannot be run")]);
});

test("latchkey provider knows every base URL of the app, and the prefix of its routes", async () => {
  const port = String(await freePort());
  const [one, two] = ["http://one.localhost:3999", "http://two.localhost:3999"];
  const variables = `LATCHKEY_BASE_URL="${one} ${two}"\nLATCHKEY_ROUTES_PREFIX=/auth\n`;
  const signingIn = `
    const { LATCHKEY_ISSUER_BASE_URL: issuer } = process.env;
    for (const path of ["${one}/auth", "${two}/auth", "${two}/other"]) {
      const query = new URLSearchParams({
        client_id: "latchkey-local", response_type: "code", scope: "openid",
        redirect_uri: path + "/callback",
      });
      const { status } = await fetch(issuer + "/auth?" + query, { redirect: "manual" });
      console.log(path, status);
    }`;
  const folder = appFolder({ "app.mjs": signingIn, ".env.local": variables });
  const { stdout } = await latchkey(folder, "provider", "--port", port, "--", "node", "app.mjs");
  expect(stdout).toContain(`Open ${one} as soon as`);
  expect(stdout).toContain(`${one}/auth 303\n${two}/auth 303\n${two}/other 400`);
});

/** Prints the connections that it is given, and what their issuers call themselves. */
const customersApp = `
  const { LATCHKEY_CONNECTIONS: names, LATCHKEY_IDENTITY: identity } = process.env;
  const ask = async (name) => {
    const issuer = process.env["LATCHKEY_CONNECTION_" + name.toUpperCase() + "_ISSUER_BASE_URL"];
    const response = await fetch(issuer + "/.well-known/openid-configuration");
    return (await response.json()).issuer;
  };
  const issuers = await Promise.all(names.split(" ").map(ask));
  console.log(JSON.stringify({ names, identity, issuers, own: process.env.LATCHKEY_ISSUER_BASE_URL }));`;

test("latchkey provider plays the customers of --as beside its own issuer, and gives the app their connections", async () => {
  const folder = appFolder({ "app.mjs": customersApp });
  const port = String(await freePort());
  const options = ["--as", "acme,globex", "--port", port];
  const { stdout } = await latchkey(folder, "provider", ...options, "--", "node", "app.mjs");
  expect(stdout).toContain(`runs at http://localhost:${port} and plays acme and globex.`);
  expect(JSON.parse(stdout.split("\n").find((line) => line.startsWith("{")) ?? "")).toEqual({
    names: "acme globex",
    identity: "issuer+sub",
    issuers: [`http://localhost:${port}/acme`, `http://localhost:${port}/globex`],
    own: `http://localhost:${port}`,
  });
});

test("latchkey provider takes the customers from .env.local, too", async () => {
  const port = String(await freePort());
  const variables = `LATCHKEY_PROVIDER_AS="acme globex"\nLATCHKEY_PROVIDER_PORT=${port}\n`;
  const folder = appFolder({ "app.mjs": customersApp, ".env.local": variables });
  const { stdout } = await latchkey(folder, "provider", "--", "node", "app.mjs");
  expect(stdout).toContain('"names":"acme globex"');
});

test("latchkey provider names a customer that cannot be a connection", async () => {
  const port = String(await freePort());
  const options = ["--as", "Acme", "--port", port];
  const { exitCode, stderr } = await latchkey(appFolder(), "provider", ...options);
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('"Acme" cannot be a customer')]);
});
