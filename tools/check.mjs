// Runs the quick checks.
import { runOnProjectNode } from "./project-node.mjs";

await runOnProjectNode("tools/check/main.ts");
