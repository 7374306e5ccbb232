import { expect, test } from "vitest";

import { createMcpApp } from "../../test/api/mcp-app.ts";
import { inspector } from "../inspector/index.ts";

const baseURL = "http://localhost:3000";

test("an MCP server and the inspector both have their addresses in one app", async () => {
  const { auth } = await createMcpApp({}, { baseURL, inspector, production: false });
  const statusOf = async (path: string) => {
    const headers = { host: "localhost:3000" };
    const request = new Request(baseURL + path, { headers });
    return (await auth.respond(request, () => new Response("app"))).status;
  };
  expect(await statusOf("/.well-known/oauth-protected-resource/mcp")).toBe(200);
  expect(await statusOf("/api/auth/inspector")).toBe(200);
  expect(await statusOf("/mcp")).toBe(401);
});
