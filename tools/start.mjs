// Starts the application, and the local provider if no other is set.
import { runOnProjectNode } from "./project-node.mjs";

await runOnProjectNode("tools/start/main.ts");
