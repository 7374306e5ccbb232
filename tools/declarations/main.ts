/**
 * The compiler turns `./x.ts` into `./x.js` in what it emits, but not in its declarations.
 * TypeScript finds `x.d.ts` all the same; not every reader of declarations does. An import of JSON
 * becomes the type of it, because the file is not published. A Worker has no types of Node, and
 * oidc-provider has none at all: imports of both may fail, since no public type has parts of them.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const [, , name = "latchkey"] = process.argv;
const home = path.join(import.meta.dirname, "../../packages", name);
const folder = path.join(home, "dist");
const jsonImport = /^import (\w+) from "(\.[^"]+\.json)";$/gm;
const optionalImport = /(?<!@ts-ignore\n)^import .* from "(node:crypto|oidc-provider)";$/gm;
const sourceImport = /(\b(?:from|import)\b[ (]?"\.{1,2}\/[^"]+)\.tsx?"/g;

for (const each of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
  if (!each.endsWith(".d.ts")) continue;
  const file = path.join(folder, each);
  const text = readFileSync(file, "utf8");
  const source = path.join(home, "src", path.dirname(each).replace(/^types\/?/, ""));
  const emitted = text
    .replaceAll(jsonImport, (_, local: string, json: string) =>
      typeOfJSON(local, path.join(source, json)),
    )
    .replaceAll(optionalImport, "// @ts-ignore\n$&")
    .replaceAll(sourceImport, '$1.js"');
  if (emitted !== text) writeFileSync(file, emitted);
}

/** The declaration of an object of texts. */
function typeOfJSON(local: string, file: string): string {
  const names = Object.keys(JSON.parse(readFileSync(file, "utf8")));
  const members = names.map((each) => `  ${JSON.stringify(each)}: string;\n`);
  return `declare const ${local}: {\n${members.join("")}};`;
}
