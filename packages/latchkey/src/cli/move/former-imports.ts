import { child, children, nameOf, type Node, textOf } from "./syntax.ts";

export const formerPackage = "@auth0/nextjs-auth0";

export interface Imported {
  /** As the module calls it; `default` or `*` for the whole. */
  readonly name: string;
  /** As the file calls it. */
  readonly local: string;
  readonly node: Node;
}

/** An import of a module, or an export of what is in it. */
export interface ModuleUse {
  readonly statement: Node;
  readonly source: Node;
  readonly specifier: string;
  readonly imported: readonly Imported[];
}

export function importsOf(program: Node): readonly ModuleUse[] {
  return children(program, "body")
    .filter(({ type }) => type === "ImportDeclaration")
    .flatMap((statement) => {
      const source = child(statement, "source");
      const specifier = textOf(source);
      if (source === null || specifier === null) return [];
      const imported = children(statement, "specifiers").map((node) => ({
        name: importedName(node),
        local: nameOf(child(node, "local")),
        node,
      }));
      return [{ statement, source, specifier, imported }];
    });
}

function importedName(node: Node): string {
  if (node.type === "ImportSpecifier") return nameOf(child(node, "imported"));
  return node.type === "ImportDefaultSpecifier" ? "default" : "*";
}
