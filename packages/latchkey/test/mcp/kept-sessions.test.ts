import {
  McpServer,
  WebStandardStreamableHTTPServerTransport as Transport,
} from "@modelcontextprotocol/server";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";

import type { RequestAuth } from "../../src/index.ts";
import { mcpAuthInfo } from "../../src/mcp/index.ts";
import { createMcpApp } from "../api/mcp-app.ts";
import { ownerOf } from "./owner-of.ts";

const root = new URL("../../../../", import.meta.url);

interface Kept {
  readonly owner: string;
  readonly transport: Transport;
}

/** Answers as the guide says: a session (`Mcp-Session-Id`) belongs to the caller that began it. */
function createSessions() {
  const kept = new Map<string, Kept>();

  async function begin(owner: string): Promise<Transport> {
    const transport = new Transport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: true,
      onsessioninitialized: (id) => void kept.set(id, { owner, transport }),
    });
    const server = new McpServer({ name: "notes", version: "1.0.0" });
    server.registerTool("owner", { inputSchema: z.object({}) }, async (_input, { http }) => ({
      content: [{ type: "text", text: String(http?.authInfo?.extra?.["sub"]) }],
    }));
    await server.connect(transport);
    return transport;
  }

  return async (request: Request, auth: RequestAuth): Promise<Response> => {
    const id = request.headers.get("mcp-session-id");
    const owner = ownerOf(auth);
    const found = id === null ? { owner, transport: await begin(owner) } : kept.get(id);
    if (found?.owner !== owner) return new Response(null, { status: 404 });
    return found.transport.handleRequest(request, { authInfo: mcpAuthInfo(auth) });
  };
}

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  },
};
const call = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "owner" } };

async function createApp() {
  const app = await createMcpApp();
  const answer = createSessions();
  const send = async (token: string, method: string, id?: string | null, message?: object) => {
    const headers = new Headers({
      authorization: `Bearer ${token}`,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": "2025-11-25",
    });
    if (id != null) headers.set("mcp-session-id", id);
    const body = message === undefined ? null : JSON.stringify(message);
    const request = new Request("https://app.example/mcp", { method, headers, body });
    return app.auth.respond(request, (passed) => answer(passed, app.auth.of(passed)));
  };
  return { app, send };
}

test("a kept session is open to the caller that began it, and to no other user or client [AP-044]", async () => {
  const { app, send } = await createApp();
  const token = await app.mcpToken();
  const begun = await send(token, "POST", null, initialize);
  const id = begun.headers.get("mcp-session-id");
  expect([begun.status, id]).toEqual([200, expect.any(String)]);
  const renewed = await app.mcpToken({ jti: "a later token" });
  const own = await send(renewed, "POST", id, call);
  expect([own.status, await own.text()]).toEqual([200, expect.stringContaining('"ada"')]);
  for (const claims of [{ sub: "ben" }, { client_id: "another" }]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const other = await app.mcpToken(claims);
    for (const method of ["POST", "GET", "DELETE"]) {
      const message = method === "POST" ? call : undefined;
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect((await send(other, method, id, message)).status).toBe(404);
    }
  }
  expect((await send(token, "POST", id, call)).status).toBe(200);
  expect((await send(token, "DELETE", id)).status).toBe(200);
});

test("the guide shows whose session it is as it is tested here", () => {
  const code = readFileSync(new URL("owner-of.ts", import.meta.url), "utf8");
  expect(readFileSync(new URL("docs/guides/mcp.md", root), "utf8")).toContain(code);
});
