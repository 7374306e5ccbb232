// Runs one part of what takes too long for `npm test`.
import { runOnProjectNode } from "./project-node.mjs";

await runOnProjectNode("soak/main.ts");
