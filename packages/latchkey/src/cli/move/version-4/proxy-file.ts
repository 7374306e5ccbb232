import type { Draft } from "../draft.ts";
import { quote, wholeLine } from "../draft.ts";
import { importsOf, type ModuleUse } from "../former-imports.ts";
import { asNodeMiddleware, exportOf, leaveNarrowMatcher } from "../middleware-file.ts";
import { child, children, nameOf, type Node, walk } from "../syntax.ts";
import { type ClientFile, isImportOf } from "./client-file.ts";

const page = "moving/nextjs-auth0-4#a-proxy-with-logic-of-its-own";

/** Replaces a proxy that only calls `auth0.middleware`. Others are left to a person. */
export function rewriteProxyFile(draft: Draft, client: ClientFile, nextVersion: number): void {
  const { program } = draft;
  const own = exportOf(program, "proxy") ?? exportOf(program, "middleware");
  const use = importsOf(program).find(({ specifier }) =>
    isImportOf(specifier, draft.path, client.path),
  );
  if (own === null || use === undefined) return;
  if (!onlyCallsMiddleware(own.declaration, use, client)) {
    draft.leave(own.statement, "has logic of its own: put it into protect()", page);
    return;
  }
  const exported = nextVersion >= 16 ? "proxy" : "proxy as middleware";
  draft.replace(own.statement, `export { ${exported} } from ${quote(draft, use.specifier)};`);
  for (const each of importsOf(program)) {
    if (each === use || isUnused(program, each, own.declaration))
      draft.replace(wholeLine(draft, each.statement), "");
  }
  leaveNarrowMatcher(draft, page);
  asNodeMiddleware(draft, nextVersion);
}

function onlyCallsMiddleware(own: Node, use: ModuleUse, { name }: ClientFile): boolean {
  const [statement, ...others] = children(child(own, "body"), "body");
  if (statement?.type !== "ReturnStatement" || others.length > 0) return false;
  const returned = child(statement, "argument");
  const call = returned?.type === "AwaitExpression" ? child(returned, "argument") : returned;
  const callee = child(call, "callee", "MemberExpression");
  const local = use.imported.find((each) => each.name === name)?.local;
  return (
    nameOf(child(callee, "object")) === local && nameOf(child(callee, "property")) === "middleware"
  );
}

/** Whether only the replaced function has used an import. */
function isUnused(program: Node, { imported }: ModuleUse, own: Node): boolean {
  const locals = imported.map(({ local }) => local);
  let isUsed = false;
  walk(program, (node, ancestors) => {
    if (node.type !== "Identifier" || !locals.includes(nameOf(node))) return;
    if (!ancestors.some((each) => each === own || each.type === "ImportDeclaration")) isUsed = true;
  });
  return locals.length > 0 && !isUsed;
}
