/** `npm run dev`: the app beside a local provider that knows its MCP server. */
import { startProvider } from "@latchkey/provider";
import { randomBytes } from "node:crypto";

const appURL = "http://localhost:3000";
const provider = await startProvider({
  port: 4000,
  appURL,
  dataFolder: ".data/provider",
  resources: [{ identifier: `${appURL}/mcp`, scopes: ["notes:read", "notes:write"] }],
  registration: true,
});
const [client] = provider.clients;
Object.assign(process.env, {
  LATCHKEY_BASE_URL: appURL,
  LATCHKEY_ISSUER_BASE_URL: provider.issuer,
  LATCHKEY_CLIENT_ID: client?.id,
  LATCHKEY_CLIENT_SECRET: client?.secret,
  LATCHKEY_SECRET: randomBytes(32).toString("base64url"),
});
await import("./server.ts");
