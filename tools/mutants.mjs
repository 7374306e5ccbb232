// Changes the engine in small ways and counts the changes that no test notices.
import { runOnProjectNode } from "./project-node.mjs";

await runOnProjectNode("tools/mutants/main.ts");
