/** What `npm run check` builds: what people download has budgets, and the build fails where one is broken. */
import path from "node:path";
import { buildWhatChanged } from "../start/build.ts";

try {
  buildWhatChanged(path.join(import.meta.dirname, "../.."));
} catch (error) {
  console.log(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
