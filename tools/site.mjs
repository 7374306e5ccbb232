// Builds the site of the documentation.
import { runOnProjectNode } from "./project-node.mjs";

await runOnProjectNode("tools/site/main.ts");
