import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import { authFromEnvironment } from "latchkey/node";
import { createApp, notesAPI } from "./app.ts";

const { PORT = "3443", TLS_KEY = "localhost.key", TLS_CERT = "localhost.crt" } = process.env;

const auth = authFromEnvironment(process.env, { api: notesAPI });
await auth.ready();
const certificate = { key: readFileSync(TLS_KEY), cert: readFileSync(TLS_CERT) };
createServer(certificate, createApp(auth)).listen(Number(PORT), () => {
  console.log(`MCP server on ${auth.config.baseURL}/mcp`);
});
