/**
 * The compiler turns `./x.ts` into `./x.js` in what it emits, but not in its declarations.
 * TypeScript finds `x.d.ts` all the same; not every reader of declarations does.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const [, , name = "latchkey"] = process.argv;
const folder = path.join(import.meta.dirname, "../../packages", name, "dist");
const sourceImport = /(\b(?:from|import)\b[ (]?"\.{1,2}\/[^"]+)\.tsx?"/g;

for (const each of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
  if (!each.endsWith(".d.ts")) continue;
  const file = path.join(folder, each);
  const text = readFileSync(file, "utf8");
  const emitted = text.replaceAll(sourceImport, '$1.js"');
  if (emitted !== text) writeFileSync(file, emitted);
}
