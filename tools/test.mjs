// Runs every check.
import { runOnProjectNode } from "./project-node.mjs";

await runOnProjectNode("tools/test/main.ts");
