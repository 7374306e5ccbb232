// Runs the examples as a user does who has copied them.
import { runOnProjectNode } from "./project-node.mjs";

await runOnProjectNode("tools/examples/main.ts");
