/** What open pages cost that listen for the end of their session, beside as many responses that a server of Node leaves open. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { listenerCookies } from "../packages/latchkey/test/streams/listener.ts";
import { tell } from "./tell.ts";

const script = new URL("../packages/latchkey/test/streams/streams-app.ts", import.meta.url);
/** As the guide starts the web application. */
const execArgv = ["--max-semi-space-size=4", "--no-maglev", "--expose-gc"];
const env = { ...process.env, MALLOC_MMAP_THRESHOLD_: "32768" };
const together = 25;
/** Opened before the first look, so that what a process needs once is not counted. */
const atFirst = 300;

export async function soakStreams(count: number): Promise<void> {
  const bare = await costOf("bare", count);
  const latchkey = await costOf("latchkey", count);
  tell(
    `${count} pages that listen for the end of their session`,
    {
      "each uses 20 KiB at the most, its connection included [OP-097]": latchkey.residentKiB <= 20,
    },
    { bare, latchkey },
  );
}

interface Cost {
  /** What is in use, without garbage. */
  readonly heapKiB: number;
  /** By how much the process has grown. */
  readonly residentKiB: number;
}

async function costOf(kind: "bare" | "latchkey", count: number): Promise<Cost> {
  const app = fork(script, [kind], { execArgv, env });
  try {
    const origin: string = (await once(app, "message"))[0];
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

/** Opens a stream and leaves it open; over when the server has gone. */
async function listen(origin: string): Promise<void> {
  const headers = { cookie: await listenerCookies(origin) };
  const asking = get(`${origin}/_auth/session-events`, { agent: false, headers });
  const response: IncomingMessage = (await once(asking, "response"))[0];
  if (response.statusCode !== 200) throw new Error(`It answered ${response.statusCode}`);
  await once(response, "data");
  response.on("error", () => undefined).resume();
}

async function memoryOf(app: ChildProcess): Promise<NodeJS.MemoryUsage> {
  await sleep(1000);
  const told = once(app, "message");
  app.send("how much?");
  const [memory] = await told;
  return memory;
}
