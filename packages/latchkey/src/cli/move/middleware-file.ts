import type { Draft } from "./draft.ts";
import { child, children, nameOf, type Node, textOf, walk } from "./syntax.ts";

/** Whether a file is the proxy of Next.js, which was called middleware before 16. */
export function isMiddlewareFile(path: string): boolean {
  return /^(?:src\/)?(?:middleware|proxy)\.[jt]s$/.test(path);
}

/** The place of the file: beside `proxy.ts`, Next.js 16 does not read `middleware.ts`. */
export function proxyPath(path: string, nextVersion: number): string {
  return nextVersion >= 16 ? path.replace(/middleware(?=\.[jt]s$)/, "proxy") : path;
}

/** Lets a `middleware.ts` run on Node.js: `proxy.ts` always does. */
export function asNodeMiddleware(draft: Draft, nextVersion: number): void {
  const config = configOf(draft.program);
  if (nextVersion >= 16) return;
  if (config === null) {
    const { end } = draft.program;
    draft.replace({ start: end, end }, 'export const config = { runtime: "nodejs" };\n');
  } else if (!/\bruntime\b/.test(draft.code.slice(config.start, config.end))) {
    const start = config.start + 1;
    draft.replace({ start, end: start }, ' runtime: "nodejs",');
  }
}

/** The object of `export const config`. */
function configOf(program: Node): Node | null {
  const declared = children(program, "body").flatMap((statement) =>
    children(child(statement, "declaration", "VariableDeclaration"), "declarations"),
  );
  const config = declared.find((each) => nameOf(child(each, "id")) === "config");
  return config === undefined ? null : child(config, "init", "ObjectExpression");
}

/** A proxy must see the routes of sign-in and `/_auth`, which a list of paths leaves out. */
export function leaveNarrowMatcher(draft: Draft, page: string): void {
  const config = configOf(draft.program);
  if (config === null) return;
  walk(config, (node) => {
    const pattern = textOf(node);
    if (pattern?.startsWith("/") === true && !pattern.startsWith("/((?!"))
      draft.leave(node, "the matcher must include /auth and /_auth", page);
  });
}

/** Returns the statement that exports a name which it declares. */
export function exportOf(program: Node, name: string): Exported | null {
  for (const statement of children(program, "body")) {
    const declaration = statement.type.startsWith("Export")
      ? child(statement, "declaration")
      : null;
    const [variable = declaration] = children(declaration, "declarations");
    const id = child(variable, "id");
    if (variable !== null && id !== null && nameOf(id) === name)
      return { statement, declaration: variable, id };
  }
  return null;
}

interface Exported {
  readonly statement: Node;
  readonly declaration: Node;
  readonly id: Node;
}
