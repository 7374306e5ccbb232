// Runs every check of the house.
import { runOnProjectNode } from "./project-node.mjs";

await runOnProjectNode("tools/test/main.ts");
