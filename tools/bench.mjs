// Measures what sign-in costs.
import { runOnProjectNode } from "./project-node.mjs";

await runOnProjectNode("bench/main.ts");
