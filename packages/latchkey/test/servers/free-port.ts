import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Systems choose the ports of connections, and of servers that ask for any, above these, and above the second port of a
 * node of a Redis cluster, which is 10,000 higher.
 */
const lowest = 10_000;
const highest = 22_000;
let next = randomInt(lowest, highest);

/** A port on which nobody listens; between this call and the server that listens on it nobody gets it by chance. */
export async function freePort(): Promise<number> {
  const port = next;
  next = port < highest ? port + 1 : lowest;
  return (await isFree(port)) ? port : freePort();
}

async function isFree(port: number): Promise<boolean> {
  // Without an address: it is free on all of them.
  const server = createServer().listen({ port, exclusive: true });
  try {
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}
