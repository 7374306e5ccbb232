// Makes the pictures of README, docs and site anew.
import { runOnProjectNode } from "./project-node.mjs";

await runOnProjectNode("tools/pictures/main.ts");
