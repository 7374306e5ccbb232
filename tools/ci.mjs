// Runs all tests, then the hosts affected by a change.
import { runOnProjectNode } from "./project-node.mjs";

await runOnProjectNode("tools/ci/main.ts");
