/** The cost of open pages with a stream, compared with as many open responses of plain Node. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../packages/latchkey/test/servers/free-port.ts";
import { listenerCookies, streamsOptions } from "../packages/latchkey/test/streams/listener.ts";
import { appOptions } from "../tools/start/dev-processes.ts";
import { reportResult } from "./report.ts";

const smallApp = new URL("../packages/latchkey/test/streams/streams-app.ts", import.meta.url);
const memoryTeller = new URL("../packages/latchkey/test/streams/memory-teller.ts", import.meta.url);
const webApplication = new URL("../apps/web/dist/server/main.js", import.meta.url);
const execArgv = [...appOptions, "--expose-gc", `--import=${memoryTeller.href}`];
const env = { ...process.env, MALLOC_MMAP_THRESHOLD_: "32768" };
/** The headers of Chromium, without cookies. */
const ofBrowser = {
  "user-agent":
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
  accept: "text/event-stream",
  "accept-encoding": "gzip, deflate, br, zstd",
  "accept-language": "en-GB,en;q=0.9,de;q=0.8",
  "cache-control": "no-cache",
  "sec-ch-ua": '"Chromium";v="140", "Not=A?Brand";v="24"',
  "sec-ch-ua-mobile": "?0",
  "sec-ch-ua-platform": '"Linux"',
  "sec-fetch-dest": "empty",
  "sec-fetch-mode": "cors",
  "sec-fetch-site": "same-origin",
};
const together = 25;
/** Streams before the first measurement: they take the one-time cost of the process. */
const atFirst = 300;

export async function soakStreams(count: number): Promise<void> {
  const bare = await costOf(startSmallApp("bare"), count);
  const latchkey = await costOf(startSmallApp("latchkey"), count);
  const web = await costOf(startWebApplication(), count);
  const atMost = (KiB: number, { residentKiB }: Cost) => residentKiB <= KiB;
  reportResult(
    `${count} pages that listen for the end of their session`,
    {
      "each uses 20 KiB at the most, its connection included [OP-097]": atMost(20, latchkey),
      "in the web application, too [OP-097]": atMost(20, web),
    },
    { bare, latchkey, web },
  );
}

interface App {
  readonly process: ChildProcess;
  readonly origin: string;
}

async function startSmallApp(kind: "bare" | "latchkey"): Promise<App> {
  const app = fork(smallApp, [kind], { execArgv, env });
  return { process: app, origin: await messageOf(app) };
}

async function startWebApplication(): Promise<App> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const { issuerBaseURL, clientID, clientSecret, secret } = streamsOptions(origin);
  const settings = {
    HOST: "localhost",
    PORT: String(port),
    LATCHKEY_BASE_URL: origin,
    LATCHKEY_ISSUER_BASE_URL: issuerBaseURL,
    LATCHKEY_CLIENT_ID: clientID,
    LATCHKEY_CLIENT_SECRET: clientSecret,
    LATCHKEY_SECRET: String(secret),
    LATCHKEY_STORE: "memory:",
    LATCHKEY_STREAMS: "10000",
  };
  const app = fork(webApplication, {
    execArgv,
    env: { ...env, ...settings },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  await messageOf(app);
  return { process: app, origin };
}

async function messageOf<Message>(app: ChildProcess): Promise<Message> {
  const [message] = await once(app, "message");
  return message as Message;
}

interface Cost {
  /** Memory in use, without garbage. */
  readonly heapKiB: number;
  /** Growth of the process. */
  readonly residentKiB: number;
}

async function costOf(starting: Promise<App>, count: number): Promise<Cost> {
  const { process: app, origin } = await starting;
  try {
    await listenTimes(origin, atFirst);
    const before = await memoryOf(app);
    await listenTimes(origin, count);
    const after = await memoryOf(app);
    const kibibytesOfEach = (figure: "heapUsed" | "rss") =>
      Math.round(((after[figure] - before[figure]) / count / 1024) * 10) / 10;
    return { heapKiB: kibibytesOfEach("heapUsed"), residentKiB: kibibytesOfEach("rss") };
  } finally {
    app.kill();
  }
}

async function listenTimes(origin: string, count: number): Promise<void> {
  for (let open = 0; open < count; open += together) {
    // oxlint-disable-next-line no-await-in-loop -- a few at a time
    await Promise.all(
      Array.from({ length: Math.min(together, count - open) }, () => listen(origin)),
    );
  }
}

/** Opens a stream and leaves it open; resolves when the server has ended. */
async function listen(origin: string): Promise<void> {
  const headers = { ...ofBrowser, cookie: await listenerCookies(origin) };
  const asking = get(`${origin}/_auth/session-events`, { agent: false, headers });
  const response: IncomingMessage = (await once(asking, "response"))[0];
  if (response.statusCode !== 200) throw new Error(`It answered ${response.statusCode}`);
  await once(response, "data");
  response.on("error", () => undefined).resume();
}

async function memoryOf(app: ChildProcess): Promise<NodeJS.MemoryUsage> {
  await sleep(1000);
  const told = messageOf<NodeJS.MemoryUsage>(app);
  app.send("how much?");
  return told;
}
