/** Builds the published files before their tests. */
import path from "node:path";
import { buildWhatChanged } from "../start/build.ts";

export default function buildPublished(): void {
  buildWhatChanged(path.join(import.meta.dirname, "../.."));
}
