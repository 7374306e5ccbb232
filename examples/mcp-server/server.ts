import { authFromEnvironment } from "latchkey/node";
import { createApp, notesAPI } from "./app.ts";

const auth = authFromEnvironment(process.env, { api: notesAPI });
await auth.ready();
createApp(auth).listen(3000, () => {
  console.log(`MCP server on ${auth.config.baseURL}/mcp`);
});
