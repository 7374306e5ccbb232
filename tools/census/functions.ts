import { lineOf, nodesIn, parse } from "./tree.ts";

/** Returns the lines of all functions with a parameter whose type mentions a name. */
export function functionsThatTake(type: string, source: string): readonly number[] {
  if (!source.includes(type)) return [];
  return [...nodesIn(parse(source).program)].flatMap((node) => {
    const isFunction =
      node.type === "FunctionDeclaration" ||
      node.type === "FunctionExpression" ||
      node.type === "ArrowFunctionExpression";
    return isFunction && mentions(node.params, type) ? [lineOf(source, node.start)] : [];
  });
}

/** Returns whether a type inside of nodes has this name. */
export function mentions(nodes: unknown, type: string): boolean {
  return nodesIn(nodes).some(
    (node) =>
      node.type === "TSTypeReference" &&
      node.typeName.type === "Identifier" &&
      node.typeName.name === type,
  );
}
