import { spawn } from "node:child_process";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";

import { createBrowser } from "../browser/browser.ts";
import { freePort } from "../servers/free-port.ts";
import { createProject, install, latchkey, readFiles, writeFiles } from "./project.ts";

const versions = { latchkey: "*", "@latchkey/provider": "*" };

/** Runs `npm run dev` until the end of the test. */
function startDev(folder: string): void {
  const child = spawn("npm", ["run", "dev"], {
    cwd: folder,
    detached: true,
    stdio: "ignore",
    env: { PATH: process.env["PATH"], NODE_OPTIONS: "--conditions=@latchkey/source" },
  });
  onTestFinished(async () => {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    process.kill(-Number(child.pid), "SIGTERM");
    await ended;
  });
}

async function untilAnswered(address: string): Promise<void> {
  const answer = await fetch(address, { redirect: "manual" }).catch(() => null);
  if (answer !== null && answer.status < 500) return;
  await pause(200);
  return untilAnswered(address);
}

test.each([
  ["express", ["express"], "Ada Okafor"],
  ["hono", ["hono", "@hono/node-server"], "Ada Okafor"],
  ["fastify", ["fastify"], "Ada Okafor"],
  ["koa", ["koa"], "Ada Okafor"],
  ["h3", ["h3"], "Ada Okafor"],
])(
  "npm run dev signs in with %s after init, by the printed words alone [FH-009]",
  async (name, packages, user) => {
    const [port, providerPort] = [await freePort(), await freePort()];
    const folder = createProject({
      "package.json": JSON.stringify({
        type: "module",
        dependencies: { ...versions, [name]: "*" },
      }),
    });
    install(folder, packages);
    const base = `http://localhost:${port}`;
    const { exitCode, stdout } = await latchkey(folder, ["init", "--yes", "--base-url", base]);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining("npm run dev")]);
    const { "server.js": server = "", ".env.local": settings = "" } = readFiles(folder);
    writeFiles(folder, {
      "server.js": server.replace("3000", String(port)),
      ".env.local": settings.replace(":4000", `:${providerPort}`),
    });
    startDev(folder);
    const page = /open (\S+) /.exec(stdout)?.[1] ?? "";
    await untilAnswered(page);
    const browser = createBrowser(base);
    const { status, text, url } = await browser.signIn(page);
    expect([status, text, url.href]).toEqual([200, `Hello ${user}`, page]);
  },
);

test("the app of create-hono is signed in to after init", async () => {
  const [port, providerPort] = [await freePort(), await freePort()];
  const folder = createProject({
    "package.json": JSON.stringify({
      type: "module",
      scripts: { dev: "node --watch src/index.ts" },
      dependencies: { ...versions, hono: "*", "@hono/node-server": "*" },
    }),
    "tsconfig.json": "{}",
    "src/index.ts": `import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const app = new Hono()

app.get('/', (c) => {
  return c.text('Hello Hono!')
})

serve({
  fetch: app.fetch,
  port: ${port}
})
`,
  });
  install(folder, ["hono", "@hono/node-server"]);
  expect(await latchkey(folder, ["init", "--yes"])).toMatchObject({ exitCode: 0 });
  const settings = readFiles(folder)[".env.local"] ?? "";
  writeFiles(folder, { ".env.local": settings.replace(":4000", `:${providerPort}`) });
  startDev(folder);
  await untilAnswered(`http://localhost:${port}/`);
  const { text } = await createBrowser(`http://localhost:${port}`).signIn("/");
  expect(text).toBe("Hello Hono!");
});
