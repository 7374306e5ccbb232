/** Parts of the engine's sources that pages show as they are. */
import { parseSync } from "vite";

/** An event of the log. */
export interface SourceEvent {
  readonly name: string;
  /** The members of its type, as in the source. */
  readonly code: string;
}

/**
 * Returns the declaration of an exported type, with the comments inside it.
 *
 * @throws {TypeError} if the source has no such declaration
 */
export function declarationOf(source: string, name: string): string {
  const { program } = parseSync("source.ts", source);
  for (const statement of program.body) {
    if (statement.type !== "ExportNamedDeclaration" || statement.declaration === null) continue;
    const { declaration } = statement;
    const isType =
      declaration.type === "TSInterfaceDeclaration" ||
      declaration.type === "TSTypeAliasDeclaration";
    if (isType && declaration.id.name === name)
      return source.slice(declaration.start, declaration.end);
  }
  throw new TypeError(`There is no exported type ${name}.`);
}

/** Returns the members of a union of events, in their order; those of one name together. */
export function eventsOf(source: string, union: string): readonly SourceEvent[] {
  const { program } = parseSync("source.ts", source);
  const alias = program.body.find(
    (each) => each.type === "TSTypeAliasDeclaration" && each.id.name === union,
  );
  if (alias?.type !== "TSTypeAliasDeclaration" || alias.typeAnnotation.type !== "TSUnionType")
    throw new TypeError(`There is no union ${union}.`);
  const found = new Map<string, string[]>();
  for (const { start, end } of alias.typeAnnotation.types) {
    const code = source.slice(start, end);
    const name = /readonly event: "([^"]+)"/.exec(code)?.[1];
    if (name === undefined) throw new TypeError(`An event has no name: ${code.slice(0, 80)}`);
    found.set(name, [...(found.get(name) ?? []), withoutIndentation(code)]);
  }
  return [...found].map(([name, codes]) => ({ name, code: codes.join("\n| ") }));
}

/** The last line of a block shows how far it is indented. */
function withoutIndentation(code: string): string {
  const indentation = /\n( *)[^\n]*$/.exec(code)?.[1] ?? "";
  return code.replaceAll(`\n${indentation}`, "\n");
}
