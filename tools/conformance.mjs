// Runs the engine in runtimes and frameworks too large for the workspaces.
import { runOnProjectNode } from "./project-node.mjs";

await runOnProjectNode("tools/conformance/main.ts");
