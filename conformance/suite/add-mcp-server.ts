import type { ExampleCopy } from "./example-copy.ts";
import { host } from "./world.ts";

/** Adds an MCP server at `/mcp` to a copy of the example that mounts the pages. */
export function addMcpServer({ edit }: Pick<ExampleCopy, "edit">): void {
  for (const file of host.authFiles ?? []) edit(file, withMcpServer);
}

function withMcpServer(text: string): string {
  const option = 'api: mcp({ servers: [{ path: "/mcp" }] })';
  return `import { mcp } from "latchkey/mcp";\n${text.replace("{ pages:", `{ ${option}, pages:`)}`;
}
