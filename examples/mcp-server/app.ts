import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import express, { type Express } from "express";
import type { Auth } from "latchkey";
import { latchkey } from "latchkey/express";
import { mcp, mcpAuthInfo } from "latchkey/mcp";
import { createNotesServer } from "./notes-server.ts";

/** The option `api` of this app: one MCP server, whose callers need `notes:read`. */
export const notesAPI = mcp({
  servers: [
    {
      path: "/mcp",
      name: "Notes",
      scopes: ["notes:read"],
      scopesSupported: ["notes:read", "notes:write"],
    },
  ],
});

/** The pages of the app, and its MCP server beside them. */
export function createApp(auth: Auth): Express {
  const respond = toNodeHandler(createMcpHandler(createNotesServer));
  const app = express();
  app.use(latchkey(auth));
  app.all("/mcp", (req, res) => {
    // The SDK reads the caller from `req.auth`, which is Latchkey's until here.
    const message = Object.assign(req, { auth: mcpAuthInfo(req.auth) });
    return respond(message, res);
  });
  app.get("/", (req, res) => {
    const { user } = req.auth.require();
    res.type("text").send(`Hello ${user.name ?? user.sub}`);
  });
  return app;
}
