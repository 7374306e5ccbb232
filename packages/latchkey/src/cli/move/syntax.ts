import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { isJSONObject } from "../../crypto/json-object.ts";
import { UsageError } from "../command.ts";

/** A node of a syntax tree (ESTree, with the types of TypeScript), and its place in the text. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

/** Returns the tree of a module; `null` if its text is no valid code. */
export type Parse = (path: string, code: string) => Node | null;

/** What is used of `oxc-parser`. */
interface Parser {
  parseSync(
    path: string,
    code: string,
  ): { readonly program: unknown; readonly errors: readonly unknown[] };
}

/**
 * Loads `oxc-parser`, beside this package or in the app: only this command needs it (0137).
 *
 * @throws {UsageError} that says how to install it
 */
export async function loadParser(folder: string): Promise<Parse> {
  const parser = (await importFrom(import.meta.url)) ?? (await importFrom(folder));
  if (parser === null) {
    throw new UsageError(
      "This command needs oxc-parser, which reads your code. Install it, then run the command again: npm install --no-save oxc-parser",
    );
  }
  return (path, code) => {
    const { program, errors } = parser.parseSync(path, code);
    return errors.length === 0 && isNode(program) ? program : null;
  };
}

async function importFrom(place: string): Promise<Parser | null> {
  const from = place.startsWith("file:") ? place : pathToFileURL(join(place, "package.json"));
  try {
    const file = createRequire(from).resolve("oxc-parser");
    return (await import(pathToFileURL(file).href)) as Parser;
  } catch {
    return null;
  }
}

function isNode(value: unknown): value is Node {
  return isJSONObject(value) && typeof value["type"] === "string" && "start" in value;
}

/** Returns the member of a node, if it is a node of this type. */
export function child(node: Node | null, name: string, type?: string): Node | null {
  const value = node?.[name];
  return isNode(value) && (type === undefined || value.type === type) ? value : null;
}

/** Returns the nodes in a list of a node. */
export function children(node: Node | null, name: string): readonly Node[] {
  const value = node?.[name];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

export function nameOf(node: Node | null): string {
  const name = node?.["name"];
  return typeof name === "string" ? name : "";
}

/** Returns the value of a text in the code; `null` for anything else. */
export function textOf(node: Node | null): string | null {
  const value = node?.type === "Literal" ? node["value"] : null;
  return typeof value === "string" ? value : null;
}

/** Calls a function with each node and its ancestors, the nearest one first. */
export function walk(
  node: Node,
  visit: (node: Node, ancestors: readonly Node[]) => void,
  ancestors: readonly Node[] = [],
): void {
  visit(node, ancestors);
  const inner = [node, ...ancestors];
  for (const value of Object.values(node)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (isNode(each)) walk(each, visit, inner);
    }
  }
}
