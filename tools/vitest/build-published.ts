/** Before the tests of what is published: its files are those of the sources as they are now. */
import path from "node:path";
import { buildWhatChanged } from "../start/build.ts";

export default function buildPublished(): void {
  buildWhatChanged(path.join(import.meta.dirname, "../.."));
}
