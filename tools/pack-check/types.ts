/**
 * Compiles against the installed package as apps do if they check the types of their dependencies.
 */
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";

interface Consumer {
  readonly name: string;
  readonly compilerOptions: object;
  /** What it compiles. */
  readonly source: (entryPoints: readonly string[]) => string;
}

const root = path.join(import.meta.dirname, "../..");

const consumers: readonly Consumer[] = [
  {
    name: "server",
    compilerOptions: { module: "nodenext", lib: ["es2024"] },
    source: (names) => importsOf(names.filter((name) => !name.startsWith("latchkey/react"))),
  },
  {
    name: "worker",
    compilerOptions: { module: "nodenext", lib: ["es2024", "webworker"], types: [] },
    source: () => importsOf(["latchkey", "latchkey/hono", "latchkey/memory", "latchkey/api"]),
  },
  {
    name: "session-data",
    compilerOptions: { module: "nodenext", lib: ["es2024"] },
    // Only what another file imports can be augmented: TypeScript reports TS2664 else.
    source: () => `import { authFromEnvironment } from "latchkey/node";
      declare module "latchkey" {
        interface SessionData { readonly theme?: string }
      }
      export function themeOf(request: object): string | undefined {
        return authFromEnvironment().of(request).session?.theme;
      }`,
  },
  {
    name: "bundled",
    compilerOptions: {
      module: "preserve",
      moduleResolution: "bundler",
      lib: ["es2024", "dom", "dom.iterable"],
      jsx: "react-jsx",
    },
    source: importsOf,
  },
];

/** Their entry points for apps; the others are for the web application. */
const otherConsumer: Consumer = {
  name: "others",
  compilerOptions: { module: "nodenext", lib: ["es2024"] },
  source: () =>
    importsOf([
      "@latchkey/pages",
      "@latchkey/pages/languages",
      "@latchkey/provider",
      "@latchkey/provider/hostile",
    ]),
};

/**
 * @throws Error with the compiler's findings about our types, or with their imports of missing
 *   packages
 */
export function assertTypesHold(folder: string): void {
  const installed = path.join(folder, "node_modules/latchkey");
  assertDeclarationsImportFiles(path.join(installed, "dist"));
  assertPackagesAreDeclared(installed);
  linkTypes(folder);
  const faults = consumers.flatMap((consumer) => faultsOf(consumer, folder));
  if (faults.length > 0) throw new Error(faults.join("\n"));
}

/**
 * @param folder has `latchkey`, `@latchkey/pages` and `@latchkey/provider` installed, and no React
 * @throws Error with the compiler's findings
 */
export function assertOtherTypesHold(folder: string): void {
  linkInto(folder, ["@types/node"]);
  const faults = faultsOf(otherConsumer, folder);
  if (faults.length > 0) throw new Error(faults.join("\n"));
}

function assertDeclarationsImportFiles(dist: string): void {
  const names = readdirSync(dist, { recursive: true, encoding: "utf8" });
  const imports = names
    .filter((name) => name.endsWith(".d.ts"))
    .flatMap((name) =>
      [...readFileSync(path.join(dist, name), "utf8").matchAll(/"(\.{1,2}\/[^"]+)"/g)].map(
        ([, target = ""]) => path.join(path.dirname(name), target),
      ),
    );
  const missing = imports.filter((target) => !names.includes(declarationOf(target)));
  if (missing.length > 0) throw new Error(`Declarations import ${missing.join(", ")}.`);
}

/** A strict installation resolves a package only if the manifest has it as dependency or peer. */
function assertPackagesAreDeclared(installed: string): void {
  const manifest = JSON.parse(readFileSync(path.join(installed, "package.json"), "utf8"));
  const declared = [manifest.dependencies, manifest.peerDependencies].flatMap(Object.keys);
  const undeclared = readdirSync(path.join(installed, "dist"), {
    recursive: true,
    encoding: "utf8",
  })
    .filter((name) => name.endsWith(".d.ts"))
    .flatMap((name) => {
      const text = readFileSync(path.join(installed, "dist", name), "utf8");
      return [...text.matchAll(/ from "((?:@[^/"]+\/)?[^./"][^/":]*)[^":]*"/g)];
    })
    .map(([, name = ""]) => name)
    .filter((name) => !declared.includes(name) && !isBuiltin(name));
  if (undeclared.length > 0) {
    throw new Error(`No dependency or peer: ${[...new Set(undeclared)].join(", ")}.`);
  }
}

/** The declarations of `x.js`, which lies in the bundle, are in `x.d.ts`. */
function declarationOf(file: string): string {
  return file.replace(/\.js$/, ".d.ts");
}

function importsOf(names: readonly string[]): string {
  return names.map((name, index) => `export * as entry${index} from "${name}";\n`).join("");
}

function faultsOf({ name, compilerOptions, source }: Consumer, folder: string): string[] {
  const place = path.join(folder, name);
  const shared = {
    strict: true,
    skipLibCheck: false,
    noEmit: true,
    types: ["node"],
    target: "es2024",
  };
  const project = { compilerOptions: { ...shared, ...compilerOptions } };
  mkdirSync(place);
  writeFileSync(path.join(place, "tsconfig.json"), JSON.stringify(project));
  writeFileSync(path.join(place, "index.ts"), source(entryPoints(folder)));
  const tsc = path.join(root, "node_modules/.bin/tsc");
  const args = ["--pretty", "false", "-p", place];
  const { stdout, error } = spawnSync(tsc, args, { cwd: folder, encoding: "utf8" });
  if (error) throw error;
  // The types of h3 do not compile if all dependencies are checked. The fault is theirs.
  const isOurs = (line: string) => !line.includes("node_modules/h3/");
  return stdout.split("\n").filter((line) => line.includes("error TS") && isOurs(line));
}

function entryPoints(folder: string): string[] {
  const manifest = readFileSync(path.join(folder, "node_modules/latchkey/package.json"), "utf8");
  const names: string[] = Object.keys(JSON.parse(manifest).exports);
  return (
    names
      .filter((name) => !/\.(css|json)$/.test(name))
      // Next.js is installed by its own conformance app alone, which compiles against these types.
      .filter((name) => !name.startsWith("./next"))
      .map((name) => name.replace(/^\./, "latchkey"))
  );
}

const peers = ["@opentelemetry/api", "hono", "express", "fastify", "h3", "koa", "redis"];

/** The types of Node and of optional peers are those of this repository. */
function linkTypes(folder: string): void {
  const names = readdirSync(path.join(root, "node_modules/@types")).map((name) => `@types/${name}`);
  linkInto(folder, [...names, ...peers]);
}

function linkInto(folder: string, names: readonly string[]): void {
  for (const name of names) {
    const from = path.join(root, "node_modules", name);
    const to = path.join(folder, "node_modules", name);
    mkdirSync(path.dirname(to), { recursive: true });
    if (existsSync(from) && !existsSync(to)) symlinkSync(from, to, "dir");
  }
}
