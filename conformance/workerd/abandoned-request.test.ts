import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";

import { worldOfTest } from "../suite/world.ts";

test("a request after an abandoned one is answered once its load of the metadata ends [AD-045]", async () => {
  const issuer = await startSlowProvider();
  const world = await worldOfTest({ environment: { LATCHKEY_ISSUER_BASE_URL: issuer } });
  await giveUp(world.baseURL, "/api/auth/login");
  const logins = [1, 2, 3].map(() =>
    fetch(`${world.baseURL}/api/auth/login`, {
      redirect: "manual",
      signal: AbortSignal.timeout(15_000),
    }),
  );
  const statuses = (await Promise.all(logins)).map(({ status }) => status);
  expect(statuses).toEqual([302, 302, 302]);
});

/** Needs one and a half seconds for its metadata. */
async function startSlowProvider(): Promise<string> {
  const server: Server = createServer((_request, response) => {
    setTimeout(() => response.end(JSON.stringify(metadata)), 1500);
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
  };
  return issuer;
}

/** Sends a request, and breaks the connection off during the response. */
async function giveUp(baseURL: string, path: string): Promise<void> {
  const { port, host } = new URL(baseURL);
  const socket = connect(Number(port), "localhost");
  socket.on("error", () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  await pause(300);
  socket.resetAndDestroy();
}
