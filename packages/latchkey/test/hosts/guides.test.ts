import { type RunningProvider, startProvider } from "@latchkey/provider";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";

import { createBrowser } from "../browser/browser.ts";
import { freePort } from "../servers/free-port.ts";

const root = join(import.meta.dirname, "../../../..");
const dist = join(root, "packages/latchkey/dist");

/** The first block of code on a page. */
function codeOf(page: string): string {
  return /^```ts\n(.*?)^```/ms.exec(readFileSync(join(root, page), "utf8"))?.[1] ?? "";
}

/** The lines of a sample for sign-in. */
function linesOfSignIn(code: string): readonly string[] {
  return code.split("\n").filter((line) => /latchkey|auth(?:\.ready|FromEnvironment)/i.test(line));
}

async function startSample(code: string): Promise<string> {
  const port = `${await freePort()}`;
  const origin = `http://localhost:${port}`;
  const provider = await startProvider({ appURL: origin });
  onTestFinished(() => provider.close());
  mkdirSync(dist, { recursive: true });
  const folder = mkdtempSync(join(dist, "guide-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "app.ts");
  writeFileSync(file, code.replace(/\b3000\b/, port));
  const env = { PATH: process.env["PATH"], ...settingsOf(provider, origin) };
  const child = spawn(process.execPath, [...process.execArgv, file], {
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  onTestFinished(() => void child.kill());
  await waitForAnswer(origin);
  return origin;
}

function settingsOf({ issuer, clients: [client] }: RunningProvider, baseURL: string) {
  return {
    LATCHKEY_BASE_URL: baseURL,
    LATCHKEY_ISSUER_BASE_URL: issuer,
    LATCHKEY_CLIENT_ID: client?.id,
    LATCHKEY_CLIENT_SECRET: client?.secret,
    LATCHKEY_SECRET: "a-secret-of-the-guide-0123456789abcdef",
    LATCHKEY_STORE: "memory:",
  };
}

async function waitForAnswer(origin: string): Promise<void> {
  for (;;) {
    try {
      await fetch(origin, { redirect: "manual" });
      return;
    } catch {
      await pause(50);
    }
  }
}

test.each([
  "README.md",
  "docs/guides/express.md",
  "docs/guides/fastify.md",
  "docs/guides/koa.md",
  "docs/guides/node-http.md",
  "docs/guides/hono.md",
  "docs/guides/h3.md",
  "docs/guides/web-standard.md",
])(
  "the sample of %s signs a person in as it stands, with at most six lines for it [AD-047]",
  async (page) => {
    const code = codeOf(page);
    expect(linesOfSignIn(code).length).toBeLessThanOrEqual(6);
    const origin = await startSample(code);
    const landed = await createBrowser(origin).signIn(`${origin}/hello`);
    expect([landed.url.pathname, landed.status, landed.text]).toEqual([
      "/hello",
      200,
      "Hello Ada Okafor",
    ]);
  },
);
