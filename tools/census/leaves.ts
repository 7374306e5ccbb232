import path from "node:path";

import type { ESTree } from "vite";
import { parse, type Sources } from "./tree.ts";

/** The members of a type by name; a group has members of its own. */
type Members = ReadonlyMap<string, Members | null>;

/**
 * Returns the leaves of a type: its members, and in place of a member whose type is declared in the
 * same file, its members. So a group of members counts as many as it holds. What it extends
 * or intersects counts, too, also from other files.
 *
 * @throws {TypeError} if the file has no such type
 */
export function leavesOf(sources: Sources, file: string, name: string): readonly string[] {
  return namesIn(membersOf({ sources, file, declarations: declarationsOf(sources, file) }, name));
}

function namesIn(members: Members, prefix = ""): readonly string[] {
  return [...members].flatMap(([name, group]) =>
    group === null ? [prefix + name] : namesIn(group, `${prefix}${name}.`),
  );
}

type Declaration = ESTree.TSInterfaceDeclaration | ESTree.TSTypeAliasDeclaration;

interface Scope {
  readonly sources: Sources;
  readonly file: string;
  readonly declarations: ReadonlyMap<string, Declaration>;
}

function declarationsOf(sources: Sources, file: string): Scope["declarations"] {
  const { program } = parse(sources.get(file) ?? "");
  const found = program.body.flatMap((statement) => {
    const node = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    const isType =
      node?.type === "TSInterfaceDeclaration" || node?.type === "TSTypeAliasDeclaration";
    return isType ? [[node.id.name, node] as const] : [];
  });
  return new Map(found);
}

/** The members of a type by its name, which is declared in this file or imported. */
function membersOf(scope: Scope, name: string): Members {
  const declaration = scope.declarations.get(name);
  if (declaration?.type === "TSTypeAliasDeclaration")
    return membersOfType(scope, declaration.typeAnnotation);
  if (declaration) {
    const parents = declaration.extends.map(({ expression, typeArguments }) =>
      expression.type === "Identifier"
        ? membersOfReference(scope, expression.name, typeArguments?.params ?? [])
        : [],
    );
    return mergeAll([...parents, ownMembers(scope, declaration.body.body)]);
  }
  const imported = importOf(scope, name);
  if (imported === undefined) throw new TypeError(`${scope.file} has no type ${name}.`);
  const declarations = declarationsOf(scope.sources, imported.file);
  return membersOf({ ...scope, file: imported.file, declarations }, imported.name);
}

function importOf({ sources, file }: Scope, local: string) {
  const { module } = parse(sources.get(file) ?? "");
  const entries = module.staticImports.flatMap(({ moduleRequest, entries: each }) =>
    each.map(({ importName, localName }) => ({ importName, localName, from: moduleRequest.value })),
  );
  const found = entries.find(({ localName }) => localName.value === local);
  if (found === undefined || !found.from.startsWith(".")) return undefined;
  return {
    file: path.posix.join(path.posix.dirname(file), found.from),
    name: found.importName.name ?? local,
  };
}

function mergeAll(all: readonly Iterable<readonly [string, Members | null]>[]): Members {
  return new Map(all.flatMap((each) => [...each]));
}

function membersOfType(scope: Scope, type: ESTree.TSType): Members {
  switch (type.type) {
    case "TSTypeLiteral":
      return ownMembers(scope, type.members);
    case "TSIntersectionType":
      return mergeAll(type.types.map((each) => membersOfType(scope, each)));
    case "TSTypeReference":
      return type.typeName.type === "Identifier"
        ? membersOfReference(scope, type.typeName.name, type.typeArguments?.params ?? [])
        : new Map();
    default:
      return new Map();
  }
}

/** A type by name, or one made of another by a utility type. */
function membersOfReference(
  scope: Scope,
  name: string,
  [first, second]: readonly ESTree.TSType[],
): Members {
  if (first === undefined || !/^(?:Partial|Readonly|Required|Omit|Pick)$/.test(name))
    return membersOf(scope, name);
  const members = membersOfType(scope, first);
  if (name !== "Omit" && name !== "Pick") return members;
  const named = literalsOf(second);
  return new Map([...members].filter(([each]) => named.includes(each) === (name === "Pick")));
}

function literalsOf(type: ESTree.TSType | undefined): readonly string[] {
  if (type?.type === "TSUnionType") return type.types.flatMap(literalsOf);
  if (type?.type !== "TSLiteralType" || type.literal.type !== "Literal") return [];
  return typeof type.literal.value === "string" ? [type.literal.value] : [];
}

function ownMembers(scope: Scope, members: readonly ESTree.TSSignature[]): Members {
  const found = members.flatMap((member) => {
    if (member.type !== "TSPropertySignature" && member.type !== "TSMethodSignature") return [];
    if (member.key.type !== "Identifier") return [];
    const type =
      member.type === "TSPropertySignature" ? member.typeAnnotation?.typeAnnotation : undefined;
    return [[member.key.name, type ? groupOf(scope, type) : null] as const];
  });
  return new Map(found);
}

/** The members of a type that is declared in the same file, or on the spot. */
function groupOf(scope: Scope, type: ESTree.TSType): Members | null {
  const isHere =
    type.type === "TSTypeLiteral" ||
    (type.type === "TSTypeReference" &&
      type.typeName.type === "Identifier" &&
      scope.declarations.get(type.typeName.name)?.type === "TSInterfaceDeclaration");
  return isHere ? membersOfType(scope, type) : null;
}
