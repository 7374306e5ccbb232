// Runs the engine in runtimes and frameworks that are too large for the workspaces.
import { runOnProjectNode } from "./project-node.mjs";

await runOnProjectNode("tools/conformance/main.ts");
