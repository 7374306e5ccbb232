import { afterAll, beforeAll } from "vitest";

import { addMcpServer } from "./add-mcp-server.ts";
import { copyExample } from "./example-copy.ts";
import { mountPages } from "./mount-pages.ts";
import { mcpRows } from "./rows/mcp.ts";
import { pageRows } from "./rows/pages.ts";
import { builtHost, drivenHost, host, hostFolder } from "./world.ts";

const buildingMs = 300_000;

const isCopied = host.authFiles !== undefined;
const driven = isCopied ? hostOfCopy() : drivenHost;
pageRows(driven);
// The other hosts have such a server themselves.
if (isCopied) mcpRows(driven);

function hostOfCopy(): typeof drivenHost {
  const copy = copyExample(hostFolder, ".with-pages", host.inCopies);
  mountPages(copy);
  addMcpServer(copy);
  beforeAll(copy.build, buildingMs);
  afterAll(copy.remove);
  return builtHost({ folder: copy.folder, basePath: "" });
}
