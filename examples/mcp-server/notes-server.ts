import { McpServer, requireScopes, type ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";

/** Notes by the issuer and `sub` of their user: a `sub` alone may occur at two providers. */
const notes = new Map<string, readonly string[]>();

/** Creates the MCP server that answers one request. */
export function createNotesServer(): McpServer {
  const server = new McpServer({ name: "notes", version: "1.0.0" });
  server.registerTool(
    "list-notes",
    { description: "Lists your notes", inputSchema: z.object({}) },
    async (_input, context) => text((notes.get(userOf(context)) ?? []).join("\n")),
  );
  server.registerTool(
    "add-note",
    {
      description: "Adds a note",
      inputSchema: z.object({ note: z.string() }),
      scopeChallenge: requireScopes("notes:read", "notes:write"),
    },
    async ({ note }, context) => {
      notes.set(userOf(context), [...(notes.get(userOf(context)) ?? []), note]);
      return text("added");
    },
  );
  return server;
}

function userOf({ http }: ServerContext): string {
  const { issuer, sub } = http?.authInfo?.extra ?? {};
  if (typeof issuer !== "string" || typeof sub !== "string") throw new Error("no caller");
  return JSON.stringify([issuer, sub]);
}

function text(content: string) {
  return { content: [{ type: "text" as const, text: content }] };
}
