/** The comments above the checks of the engine. */
import { type ESTree, parseSync } from "vite";

/** Returns the comments of the checks of a list, by the name of its constant. */
export type CheckComments = (list: string) => readonly string[];

interface Declared {
  readonly node: ESTree.Node;
  readonly comment: string;
  readonly commentAbove: (node: ESTree.Node) => string;
}

/** @throws {TypeError} if a list, or something in it, is not in the sources */
export function readCheckComments(sources: readonly string[]): CheckComments {
  const declared = new Map(sources.flatMap(declarationsIn));
  const find = (name: string): Declared => {
    const found = declared.get(name);
    if (found === undefined) throw new TypeError(`There is no ${name}.`);
    return found;
  };

  /** A check without a comment has that of its declaration. */
  function commentsIn({ elements }: ESTree.ArrayExpression, above: Declared["commentAbove"]) {
    return elements.flatMap((element): readonly string[] => {
      if (element === null) return [];
      if (element.type === "SpreadElement") return commentsOf(nameOf(element.argument));
      const own = above(element);
      return [own === "" ? find(nameOf(element)).comment : own];
    });
  }

  function commentsOf(name: string): readonly string[] {
    const { node, commentAbove } = find(name);
    const list = arrayIn(node);
    if (list === undefined) throw new TypeError(`${name} is no list of checks.`);
    return commentsIn(list, commentAbove);
  }

  return commentsOf;
}

function declarationsIn(source: string): readonly (readonly [string, Declared])[] {
  const { program, comments } = parseSync("source.ts", source);
  const commentAbove = ({ start }: ESTree.Node): string => {
    const above = comments.findLast(({ end }) => end <= start);
    const isAbove = above?.type === "Block" && source.slice(above.end, start).trim() === "";
    return isAbove ? textOf(above.value) : "";
  };
  return program.body.flatMap((statement) => {
    const node = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    const comment = commentAbove(statement);
    if (node?.type === "FunctionDeclaration" && node.id !== null)
      return [[node.id.name, { node, comment, commentAbove }] as const];
    if (node?.type !== "VariableDeclaration") return [];
    return node.declarations.flatMap(({ id, init }) =>
      id.type === "Identifier" && init !== null
        ? [[id.name, { node: init, comment, commentAbove }] as const]
        : [],
    );
  });
}

/** The array of a list, of what makes one for each kind of token, or alone. */
function arrayIn(node: ESTree.Node): ESTree.ArrayExpression | undefined {
  switch (node.type) {
    case "ArrayExpression":
      return node;
    case "TSAsExpression":
      return arrayIn(node.expression);
    case "ArrowFunctionExpression":
      return arrayIn(node.body);
    case "CallExpression":
      return node.arguments[0] && arrayIn(node.arguments[0]);
    case "ObjectExpression":
      return node.properties
        .filter((each) => each.type === "Property")
        .flatMap(({ key, value }) => (nameOf(key) === "checks" ? (arrayIn(value) ?? []) : []))[0];
    default:
      return undefined;
  }
}

function nameOf(node: ESTree.Node): string {
  if (node.type === "Identifier") return node.name;
  return node.type === "CallExpression" ? nameOf(node.callee) : "";
}

/** The text of a doc comment, on one line, without its tags. */
function textOf(comment: string): string {
  const [text = ""] = comment.replaceAll(/^\s*\*+ ?/gm, "").split(/^@/m);
  return text.replaceAll(/\s+/g, " ").trim();
}
