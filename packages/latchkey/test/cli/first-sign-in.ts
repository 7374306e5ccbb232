import { spawn } from "node:child_process";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";

import { expect, onTestFinished } from "vitest";

import { createBrowser } from "../browser/browser.ts";
import { freePort } from "../servers/free-port.ts";
import { createProject, install, latchkey, readFiles, writeFiles } from "./project.ts";

export const versions = { latchkey: "*", "@latchkey/provider": "*", "@types/node": "*" };

/** Runs `latchkey init` and `npm run dev` in a new app, and signs in by the printed words alone. */
export async function expectFirstSignIn(name: string, packages: readonly string[]): Promise<void> {
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
  expect([status, text, url.href]).toEqual([200, "Hello Ada Okafor", page]);
}

/** Runs `npm run dev` until the end of the test. */
export function startDev(folder: string): void {
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

export async function untilAnswered(address: string): Promise<void> {
  const answer = await fetch(address, { redirect: "manual" }).catch(() => null);
  if (answer !== null && answer.status < 500) return;
  await pause(200);
  return untilAnswered(address);
}
