import type { Draft } from "./draft.ts";
import { wholeLine } from "./draft.ts";
import { renameEnvironment } from "./environment-names.ts";
import { importsOf } from "./former-imports.ts";
import { asNodeMiddleware, exportOf } from "./middleware-file.ts";
import { child, children, nameOf, type Node, textOf, walk } from "./syntax.ts";
import { nameFromVersion3 } from "./variables.ts";

const guide = "guides/from-nextjs-auth0";
const check = `${guide}#what-you-check-yourself`;
const leftOut = `${guide}#what-is-left-out`;

/** Names of 3.x without a counterpart in `@latchkey/nextjs-auth0`. */
const missing = [
  "getLoginState",
  "logoutParams",
  "redirectUri",
  "SessionCache",
  "SessionStore",
  "generateSessionCookie",
  "Auth0Client",
];

/**
 * Rewrites a file of an app with nextjs-auth0 3: `@latchkey/nextjs-auth0` has its functions, so the
 * imports and the names of variables change, and the code stays.
 *
 * @param nextVersion - the major version of Next.js
 */
export function rewriteVersion3(draft: Draft, nextVersion: number): void {
  const isUser = renameModules(draft);
  for (const { name, node } of renameEnvironment(draft, nameFromVersion3)) {
    if (name.startsWith("NEXT_PUBLIC_"))
      draft.leave(node, `${name} becomes a prop of UserProvider`, check);
  }
  if (!isUser) return;
  listMissing(draft);
  leaveEdge(draft);
  const imported = importsOf(draft.program).flatMap((each) => each.imported);
  if (!imported.some(({ name }) => name === "withMiddlewareAuthRequired")) return;
  asNodeMiddleware(draft, nextVersion);
  const own = nextVersion >= 16 ? exportOf(draft.program, "middleware") : null;
  if (own !== null) draft.replace(own.id, "proxy");
}

/** Returns whether the file uses the former package. */
function renameModules(draft: Draft): boolean {
  let isUser = false;
  walk(draft.program, (node) => {
    const text = textOf(node);
    const [, entry] = /^@auth0\/nextjs-auth0(\/.*)?$/.exec(text ?? "") ?? [];
    if (text === null || !text.startsWith("@auth0/nextjs-auth0")) return;
    isUser = true;
    const renamed = new Map([
      [undefined, ""],
      ["/edge", ""],
      ["/client", "/client"],
    ]).get(entry);
    if (renamed === undefined) draft.leave(node, `${text} has no counterpart`, leftOut);
    else
      draft.replace(
        node,
        draft.code.slice(node.start, node.end).replace(text, `@latchkey/nextjs-auth0${renamed}`),
      );
  });
  return isUser;
}

function listMissing(draft: Draft): void {
  walk(draft.program, (node) => {
    const name = node.type === "Identifier" ? nameOf(node) : "";
    if (missing.includes(name)) draft.leave(node, `${name} is left out`, leftOut);
  });
}

/** Latchkey runs on Node.js. */
function leaveEdge(draft: Draft): void {
  for (const statement of children(draft.program, "body")) {
    const declaration = child(statement, "declaration", "VariableDeclaration");
    const [declared] = children(declaration, "declarations");
    if (isEdge(declared)) draft.replace(wholeLine(draft, statement), "");
  }
}

function isEdge(declared: Node | undefined): boolean {
  if (declared === undefined || nameOf(child(declared, "id")) !== "runtime") return false;
  return textOf(child(declared, "init"))?.endsWith("edge") === true;
}
