// Plays two releases through on a clone.
import { runOnProjectNode } from "./project-node.mjs";

await runOnProjectNode("tools/rehearsal/main.ts");
