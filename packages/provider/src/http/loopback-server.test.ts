import { expect, test } from "vitest";
import { startLoopbackServer } from "./loopback-server.ts";

test("a connection is kept open for longer than by clients, so clients close it first", async () => {
  const server = await startLoopbackServer((_request, response) => response.end());
  const { headers } = await fetch(server.origin);
  expect(headers.get("keep-alive")).toBe("timeout=75");
  await server.close();
});
