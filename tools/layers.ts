/**
 * The layer check: which folder may import which, read from the import statements themselves.
 *
 * The direction is the one of ARCHITECTURE.md; it is written here as data. `node tools/layers.ts`
 * prints one line per arrow that points back and exits with 1 when there is one.
 */
import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { parseSync } from "vite";

export interface Import {
  readonly specifier: string;
  /** Erased by the compiler: `import type`, `export type`, or only inline `type` names. */
  readonly typeOnly: boolean;
}

/** The engine from top to bottom. A part may import parts of lower rows and itself, never a sibling. */
const engineRows = [
  ["adapters", "react", "testing"],
  ["index.ts"],
  ["auth.ts"],
  ["host"],
  ["routes"],
  ["access"],
  ["context.ts"],
  ["oidc", "transaction", "session"],
  ["stores"],
  ["config"],
  ["http", "crypto"],
  ["errors"],
  ["recent-map.ts"],
  ["maybe-promise.ts"],
];

/** Where each dependency of the engine may be imported: one folder wraps it. */
const engineDependencies = new Map([
  ["oauth4webapi", ["oidc", "crypto"]],
  ["jose", ["oidc", "crypto"]],
  ["valibot", ["config"]],
  ["cookie", ["http"]],
  ["hono", ["adapters"]],
  ["redis", ["adapters"]],
  ["react", ["react"]],
]);

/** What the two other workspaces may import of ours. */
const publicNames = {
  "apps/web": (name: string) => name === "latchkey" || name === "@latchkey/web",
  "packages/provider": (name: string) => name === "@latchkey/provider",
};

const engineRoot = "packages/latchkey/src";
const sourceFile = /\.tsx?$/;
/** Tests and what only they use; `typed-claims` is a whole app that one of them compiles. */
const testFile = /\.(test|support)\.tsx?$|\/typed-claims\//;
const nodePlaces = /^(crypto|stores|adapters)\//;

/** The imports, re-exports and literal dynamic imports of one file. */
export function importsOf(fileName: string, source: string): Import[] {
  const { module, errors } = parseSync(fileName, source);
  if (errors[0]) throw new SyntaxError(`${fileName}: ${errors[0].message}`);
  const imports = module.staticImports.map((statement) => ({
    specifier: statement.moduleRequest.value,
    typeOnly: statement.entries.length > 0 && statement.entries.every((entry) => entry.isType),
  }));
  const reExports = module.staticExports
    .flatMap((statement) => statement.entries)
    .flatMap(({ moduleRequest, isType }) =>
      moduleRequest ? [{ specifier: moduleRequest.value, typeOnly: isType }] : [],
    );
  const dynamic = module.dynamicImports
    .map(({ moduleRequest }) => source.slice(moduleRequest.start, moduleRequest.end))
    .filter((request) => /^["'`]/.test(request))
    .map((request) => ({ specifier: request.slice(1, -1), typeOnly: false }));
  return [...imports, ...reExports, ...dynamic];
}

/**
 * Why one import of one file is not allowed.
 *
 * @param file - path from the root of the repository, with forward slashes
 * @returns one sentence, or `undefined` when the import is allowed
 */
export function faultOf(file: string, { specifier, typeOnly }: Import): string | undefined {
  if (file.startsWith(`${engineRoot}/`)) {
    const place = file.slice(engineRoot.length + 1);
    return specifier.startsWith(".")
      ? engineArrowFault(place, path.posix.join(path.posix.dirname(place), specifier), typeOnly)
      : engineDependencyFault(place, specifier);
  }
  for (const [workspace, mayImport] of Object.entries(publicNames)) {
    if (file.startsWith(`${workspace}/`))
      return workspaceFault(workspace, file, specifier, mayImport);
  }
  return undefined;
}

function engineArrowFault(from: string, to: string, typeOnly: boolean): string | undefined {
  const [source, target] = [partOf(from), partOf(to)];
  if (to.startsWith("../")) return `${to} lies outside the package`;
  if (source === target) return undefined;
  const [sourceRow, targetRow] = [rowOf(source), rowOf(target)];
  if (sourceRow < 0) return `${source} has no place in the list of layers (tools/layers.ts)`;
  if (targetRow < 0) return `${target} has no place in the list of layers (tools/layers.ts)`;
  if (source === "react") {
    return typeOnly ? undefined : `react/ speaks HTTP only, it may take types but not ${to}`;
  }
  if (sourceRow === targetRow) return `${source} and ${target} are siblings`;
  return sourceRow > targetRow ? `${source} lies below ${target}` : undefined;
}

function engineDependencyFault(place: string, specifier: string): string | undefined {
  if (specifier.startsWith("node:")) {
    return nodePlaces.test(place) ? undefined : `only crypto/, stores/ and adapters/ may use Node`;
  }
  const name = packageName(specifier);
  const places = engineDependencies.get(name);
  if (!places) return `the engine does not depend on ${name}`;
  return places.includes(partOf(place))
    ? undefined
    : `${name} is imported in ${places.join("/ and ")}/ only`;
}

function workspaceFault(
  workspace: string,
  file: string,
  specifier: string,
  mayImport: (name: string) => boolean,
): string | undefined {
  if (specifier.startsWith(".")) {
    const target = path.posix.join(path.posix.dirname(file), specifier);
    return target.startsWith(`${workspace}/`) ? undefined : `${target} lies outside ${workspace}`;
  }
  const name = packageName(specifier);
  const ours = name === "latchkey" || name.startsWith("@latchkey/");
  return ours && !mayImport(name) ? `${workspace} may not import ${name}` : undefined;
}

function partOf(place: string): string {
  return place.split("/", 1)[0] ?? place;
}

function rowOf(part: string): number {
  return engineRows.findIndex((row) => row.includes(part));
}

function packageName(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

/** Every fault below the given root, one line each. */
export async function layerFaults(root: string): Promise<string[]> {
  const files = await Promise.all(
    [engineRoot, "packages/provider/src", "apps/web/src"].map(async (folder) => {
      const names = await readdir(path.join(root, folder), { recursive: true });
      return names.map((name) => path.posix.join(folder, name.split(path.sep).join("/")));
    }),
  );
  const sources = files.flat().filter((file) => sourceFile.test(file) && !testFile.test(file));
  const faults = await Promise.all(
    sources.map(async (file) =>
      importsOf(file, await readFile(path.join(root, file), "utf8")).flatMap((found) => {
        const fault = faultOf(file, found);
        return fault ? [`${file} imports "${found.specifier}": ${fault}`] : [];
      }),
    ),
  );
  return faults.flat();
}

if (import.meta.main) {
  const faults = await layerFaults(path.join(import.meta.dirname, ".."));
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
