// Changes the engine in small ways and counts the changes unnoticed by tests.
import { runOnProjectNode } from "./project-node.mjs";

await runOnProjectNode("tools/mutants/main.ts");
