// Starts the local provider alone.
import { runOnProjectNode } from "./project-node.mjs";

await runOnProjectNode("tools/provider/main.ts");
