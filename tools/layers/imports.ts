import { parseSync } from "vite";

export interface Import {
  readonly specifier: string;
  /** Erased by the compiler: `import type`, `export type`, or only inline `type` names. */
  readonly typeOnly: boolean;
}

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
