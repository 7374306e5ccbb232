/** A load balancer that notices a failed health check late, like those of cloud platforms. */
import { Agent, createServer, request } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export interface Balancer {
  readonly port: number;
  /** Requests refused or cut by an instance. */
  readonly failures: readonly string[];
  /** Forwards to these ports from now on, if they are ready. */
  use(ports: readonly number[]): void;
  close(): Promise<void>;
}

/** @param noticesAfterMs - delay between a failed health check and its effect */
export async function startBalancer(noticesAfterMs = 1000): Promise<Balancer> {
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

  // The client closes a connection first. If we did, the client could use it in the same moment.
  const server = createServer({ keepAliveTimeout: 75_000 }, forward);
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
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
