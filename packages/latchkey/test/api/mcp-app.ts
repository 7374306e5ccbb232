import { mcp, type McpOptions } from "../../src/mcp/index.ts";
import type { Options } from "../../src/index.ts";
import { type ApiApp, createApiApp } from "./api-app.ts";
import type { Members } from "./issuer.ts";

export const notes = "https://app.example/mcp";

/** An app with an MCP server at `/mcp`, which needs the scope `notes:read`. */
export interface McpApp extends ApiApp {
  mcpToken(claims?: Members): Promise<string>;
}

export async function createMcpApp(
  given: Partial<McpOptions> = {},
  options: Partial<Options> = {},
): Promise<McpApp> {
  const servers = [{ path: "/mcp", scopes: ["notes:read"] }];
  const app = await createApiApp({}, { api: mcp({ servers, ...given }), ...options });
  const mcpToken = (claims: Members = {}) =>
    app.token({ aud: notes, scope: "notes:read", ...claims });
  return { ...app, mcpToken };
}
