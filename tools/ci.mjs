// What the machine runs for every change: all tests, then the hosts that the change concerns.
import { runOnProjectNode } from "./project-node.mjs";

await runOnProjectNode("tools/ci/main.ts");
