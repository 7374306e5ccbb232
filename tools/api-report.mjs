// Writes the public names and types of every package as text, or compares them with that text.
import { runOnProjectNode } from "./project-node.mjs";

await runOnProjectNode("tools/api-report/main.ts");
