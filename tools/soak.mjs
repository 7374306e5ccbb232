// Refreshes tokens at three instances of an app, again and again.
import { runOnProjectNode } from "./project-node.mjs";

await runOnProjectNode("tools/soak/main.ts");
