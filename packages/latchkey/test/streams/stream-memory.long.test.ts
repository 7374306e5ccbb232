import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { expect, test } from "vitest";

import { listenerCookies } from "./listener.ts";

const script = join(import.meta.dirname, "streams-app.ts");
const memoryTeller = join(import.meta.dirname, "memory-teller.ts");
const execArgv = ["--expose-gc", "--conditions=@latchkey/source", `--import=${memoryTeller}`];
const atFirst = 100;
const streams = 400;

async function nextMessage<Message>(app: ChildProcess): Promise<Message> {
  const [message] = await once(app, "message");
  return message as Message;
}

/** Returns the bytes in use after garbage collection. */
async function heapUsed(app: ChildProcess): Promise<number> {
  await sleep(100);
  const usage = nextMessage<NodeJS.MemoryUsage>(app);
  app.send("how much?");
  return (await usage).heapUsed;
}

test("an open page with a session stream costs at most 20 KiB, its connection included, however large its cookies are [OP-097]", async () => {
  const app = fork(script, { execArgv, stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const origin = await nextMessage<string>(app);
  const leaving = new AbortController();
  const { signal } = leaving;

  async function listen(): Promise<unknown> {
    const cookie = `${await listenerCookies(origin)}; of-others=${"o".repeat(11_000)}`;
    const headers = { cookie };
    const response = await fetch(`${origin}/_auth/session-events`, { headers, signal });
    expect(response.status).toBe(200);
    return response.body?.getReader().read();
  }
  async function listenTimes(count: number): Promise<void> {
    for (let open = 0; open < count; open += 20) {
      // oxlint-disable-next-line no-await-in-loop -- a few at a time
      await Promise.all(Array.from({ length: 20 }, listen));
    }
  }

  try {
    await listenTimes(atFirst);
    const before = await heapUsed(app);
    await listenTimes(streams);
    const each = ((await heapUsed(app)) - before) / streams;
    expect(each).toBeGreaterThan(1024);
    expect(each).toBeLessThan(20 * 1024);
  } finally {
    leaving.abort();
    app.kill();
  }
});
