/** The syntax tree of a source. */
import { type ESTree, parseSync } from "vite";

export type Node = ESTree.Node;

/** The sources of the engine without tests, by path from `src`. */
export type Sources = ReadonlyMap<string, string>;

/** @throws {SyntaxError} for a source that cannot be parsed */
export function parse(source: string) {
  const { program, module, errors } = parseSync("source.tsx", source);
  if (errors[0]) throw new SyntaxError(errors[0].message);
  return { program, module };
}

/** Returns a node and all nodes inside it, outer ones first. */
export function* nodesIn(value: unknown): Generator<Node> {
  if (Array.isArray(value)) {
    for (const each of value) yield* nodesIn(each);
  } else if (isNode(value)) {
    yield value;
    for (const each of Object.values(value)) yield* nodesIn(each);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}

/** Returns the number of the line of a character, from 1. */
export function lineOf(source: string, start: number): number {
  return source.slice(0, start).split("\n").length;
}
