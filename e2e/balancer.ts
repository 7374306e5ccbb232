/** A balancer as clouds have them: it asks each instance whether it is ready, and notices late. */
import { Agent, createServer, request } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export interface Balancer {
  readonly port: number;
  /** Requests that an instance refused or cut. */
  readonly failures: readonly string[];
  /** Sends to these from now on, as far as they are ready. */
  use(ports: readonly number[]): void;
  close(): Promise<void>;
}

/** @param noticesAfterMs - how late it notices that an instance is not ready any more */
export async function startBalancer(noticesAfterMs = 1000, port = 0): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true, maxSockets: 20 });
  const failures: string[] = [];
  let ports: readonly number[] = [];
  let turn = 0;

  function forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    turn += 1;
    const to = ports[turn % ports.length];
    const { method, headers, url: path } = incoming;
    const passedOn = request({ agent, port: to, host: "localhost", method, path, headers });
    passedOn.on("response", (response) => {
      const { connection: _hop, ...rest } = response.headers;
      outgoing.writeHead(response.statusCode ?? 500, rest);
      response.pipe(outgoing);
    });
    passedOn.on("error", (error) => {
      failures.push(`${method} ${path} at ${to}: ${error.message}`);
      if (!outgoing.headersSent) outgoing.writeHead(502);
      outgoing.end();
    });
    incoming.pipe(passedOn);
  }

  async function probe(each: number): Promise<void> {
    const answer = await fetch(`http://localhost:${each}/_auth/health/ready`).catch(() => null);
    if (answer?.ok === true) return;
    await sleep(noticesAfterMs);
    ports = ports.filter((other) => other !== each);
  }

  // Its clients close a connection first: one that is closed here may be used once more at that moment.
  const server = createServer({ keepAliveTimeout: 75_000 }, forward);
  await new Promise<void>((resolve) => server.listen(port, "localhost", resolve));
  const probing = setInterval(() => ports.forEach((each) => void probe(each)), 200);
  return {
    port: (server.address() as AddressInfo).port,
    failures,
    use: (next) => void (ports = next),
    close: async () => {
      clearInterval(probing);
      server.closeAllConnections();
      agent.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
