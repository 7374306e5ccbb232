import { expect, test } from "vitest";
import { startLoopbackServer } from "./loopback-server.ts";

test("a connection is kept for longer than clients keep theirs, so that they close it first", async () => {
  const server = await startLoopbackServer((_request, response) => response.end());
  const { headers } = await fetch(server.origin);
  expect(headers.get("keep-alive")).toBe("timeout=75");
  await server.close();
});
