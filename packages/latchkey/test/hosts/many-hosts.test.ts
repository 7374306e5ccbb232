import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { join } from "node:path";

import { expect, test } from "vitest";

import { longTests } from "../long-tests.ts";

const script = new URL("./apps/many-hosts.ts", import.meta.url);
const memoryTeller = join(import.meta.dirname, "../streams/memory-teller.ts");
/**
 * An app that kept more than it may would crash. The space for new objects is that of the guide:
 * V8 would enlarge it by 60 MB under any load.
 */
const execArgv = [
  "--expose-gc",
  "--max-old-space-size=64",
  "--max-semi-space-size=4",
  `--import=${memoryTeller}`,
];

/** More than sites that an app keeps. */
const names = longTests ? 25_000 : 2400;
const mebibyte = 2 ** 20;

interface App {
  readonly process: ChildProcess;
  readonly port: number;
  readonly cookie: string;
}

async function startApp(): Promise<App> {
  const process = fork(script, { execArgv, stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const [ready] = (await once(process, "message")) as [Pick<App, "port" | "cookie">];
  return { process, ...ready };
}

/** Returns the memory of the process after garbage collection. */
async function memoryOf({ process }: App): Promise<NodeJS.MemoryUsage> {
  const answer = once(process, "message");
  process.send("how much?");
  return ((await answer) as [NodeJS.MemoryUsage])[0];
}

const agent = new Agent({ keepAlive: true, maxSockets: 4 });

async function open({ port }: App, host: string, path: string, cookie = "") {
  const headers = { host, accept: "text/html", "accept-language": "de", cookie };
  const sent = request({ host: "127.0.0.1", port, path, agent, headers });
  const [response] = (await once(sent.end(), "response")) as [IncomingMessage];
  let body = "";
  for await (const chunk of response.setEncoding("utf8")) body += String(chunk);
  return { status: response.statusCode, body };
}

/** A stranger opens a page at hosts without any earlier request. */
async function openAtMany(app: App, first: number, count: number): Promise<void> {
  for (let nth = first; nth < first + count; nth += 4) {
    const hosts = [0, 1, 2, 3].map((each) => `x${nth + each}.shop.example.com`);
    // oxlint-disable-next-line no-await-in-loop -- a few at a time
    const pages = await Promise.all(hosts.map((host) => open(app, host, "/_auth/signed-out")));
    for (const [index, { status, body }] of pages.entries()) {
      expect(status).toBe(200);
      expect(body).toContain(`https://${hosts[index]}/api/auth/login`);
    }
  }
}

test("an app with pages keeps its memory and its sessions while a stranger names ever new hosts [MX-106]", async () => {
  const app = await startApp();
  const isSignedIn = async () => {
    const { status, body } = await open(app, "shop.example.com", "/", app.cookie);
    return status === 200 && body === "the app";
  };
  try {
    await openAtMany(app, 0, 200);
    const atFirst = await memoryOf(app);
    // A host that is named again is kept, of a thousand at most.
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    for (let time = 0; time < 2; time += 1) await openAtMany(app, 200, 1200);
    const full = await memoryOf(app);
    expect(full.heapUsed - atFirst.heapUsed).toBeLessThan(25 * mebibyte);
    await openAtMany(app, 1400, names - 1400);
    const atEnd = await memoryOf(app);
    expect(atEnd.heapUsed - full.heapUsed).toBeLessThan(2 * mebibyte);
    expect(atEnd.rss - full.rss).toBeLessThan(60 * mebibyte);
    expect(await isSignedIn()).toBe(true);
  } finally {
    agent.destroy();
    app.process.kill();
  }
}, 600_000);
