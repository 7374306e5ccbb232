import { startProvider } from "@latchkey/provider";
import { readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";

import { dialects } from "../../src/cli/connect/dialects.ts";
import { createProject, latchkey, readFiles } from "./project.ts";

const clientSecret = "canary-secret-of-the-client";

async function provider() {
  const running = await startProvider({
    appURL: "http://localhost:3000",
    clientID: "my-app",
    clientSecret,
  });
  onTestFinished(() => running.close());
  return running;
}

/** A server with one answer. */
async function serve(type: string, body: string): Promise<string> {
  const server = createServer((_, response) => {
    response.setHeader("Content-Type", type).end(body);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const connect = (folder: string, ...args: string[]) =>
  latchkey(folder, ["connect", ...args], `${clientSecret}\n`);

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
    new RegExp(`^# mine\nLATCHKEY_CLIENT_ID=my-app\n[^]*LATCHKEY_ISSUER_BASE_URL=${issuer}\n`),
  );
  expect(files[".env.local"]).toContain(`LATCHKEY_CLIENT_SECRET=${clientSecret}\n`);
  expect(files[".gitignore"]).toBe(".env.local\n");
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
    /calls itself https:\/\/id\.example\.com: run latchkey connect/,
  ],
])("connect to %s ends with one sentence [FH-013]", async (_, type, body, text) => {
  const folder = createProject({});
  const { exitCode, stderr } = await connect(folder, await serve(type, body), "--client-id", "a");
  expect([exitCode, stderr]).toEqual([1, expect.stringMatching(text)]);
  expect(stderr.trim()).not.toContain("\n");
  expect(readFiles(folder)).toEqual({});
});

test("connect to a host that does not answer names it", async () => {
  const { stderr } = await connect(createProject({}), "http://127.0.0.1:9");
  expect(stderr).toMatch(/^http:\/\/127\.0\.0\.1:9 cannot be reached: /);
});

test.each(dialects.map(({ id, ...dialect }) => [id, dialect] as const))(
  "the fields of %s are those of its page [FH-014]",
  (id, { fields, clientID }) => {
    const docs = path.join(import.meta.dirname, "../../../../docs/providers");
    const page = readFileSync(path.join(docs, `${id}.md`), "utf8");
    const shown = [fields.callback, fields.signedOut ?? fields.callback, clientID];
    const missing = shown.filter((name) => !page.includes(name));
    expect(missing).toEqual(id === "google" ? ["Client ID"] : []);
  },
);
