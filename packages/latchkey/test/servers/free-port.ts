import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Systems choose ports above these for connections and for servers without a fixed port. The second
 * port of a Redis cluster node, 10,000 higher, also stays below them.
 */
const lowest = 10_000;
const highest = 22_000;
let next = randomInt(lowest, highest);

/** Returns a free port, reserved for the caller until it listens there. */
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
