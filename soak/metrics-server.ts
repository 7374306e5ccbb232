/**
 * One page for signed-in users on two ports: without metrics and with them. One process has both,
 * because two processes differ by more than the metrics cost. It reports its CPU time on request.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createAuth, type Options, type Telemetry } from "latchkey";
import { createMetrics } from "latchkey/metrics";
import { protect } from "latchkey/node";
import { sqliteStore } from "latchkey/sqlite";
import { signedInCookies } from "latchkey/testing";

async function serve(telemetry: readonly Telemetry[]) {
  const options: Options = {
    baseURL: "http://localhost:3000",
    issuerBaseURL: "http://localhost:4000",
    clientID: "metrics",
    clientSecret: "a-client-secret-of-many-characters",
    secret: "a-secret-of-more-than-thirty-two-characters",
    store: sqliteStore(":memory:"),
    session: { stateful: true },
    log: () => undefined,
  };
  const cookie = await signedInCookies({ options, session: { user: { sub: "ada" } } });
  const auth = createAuth({ ...options, telemetry });
  const server = createServer(
    protect(auth, (request, response) => response.end(`Hello ${request.auth.user?.sub}`)),
  ).listen(0, "localhost");
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, cookie };
}

process.send?.({ off: await serve([]), on: await serve([createMetrics()]) });
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMicroseconds: user + system });
});
process.on("disconnect", () => process.exit());
