/** The build of `npm run check`, which also fails if a download exceeds its budget. */
import path from "node:path";
import { buildWhatChanged } from "../start/build.ts";

try {
  buildWhatChanged(path.join(import.meta.dirname, "../.."));
} catch (error) {
  console.log(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
