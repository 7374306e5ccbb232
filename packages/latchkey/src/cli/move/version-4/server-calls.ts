import type { Draft } from "../draft.ts";
import { lineStart, wholeLine } from "../draft.ts";
import { importsOf, type ModuleUse } from "../former-imports.ts";
import { child, children, nameOf, type Node, walk } from "../syntax.ts";
import { type ClientFile, isImportOf } from "./client-file.ts";

const page = "moving/nextjs-auth0-4#code";

/** A call of the client, such as `auth0.getSession()`. */
interface ClientCall {
  readonly method: string;
  readonly call: Node;
  readonly ancestors: readonly Node[];
}

/** What replaces the calls: names of the new module as this file may write them. */
interface Names {
  use(name: "auth" | "route"): string;
  readonly used: ReadonlySet<string>;
}

/** Replaces the uses of the former client in a file that imports it. */
export function rewriteServerCalls(draft: Draft, client: ClientFile): void {
  const uses = importsOf(draft.program).filter(({ specifier }) =>
    isImportOf(specifier, draft.path, client.path),
  );
  const locals = uses.flatMap(({ imported }) =>
    imported.filter(({ name }) => name === client.name).map(({ local }) => local),
  );
  if (locals.length === 0) return;
  const names = namesFor(draft);
  walk(draft.program, (node, ancestors) => {
    if (node.type !== "Identifier" || !locals.includes(nameOf(node))) return;
    if (ancestors[0]?.type === "ImportSpecifier") return;
    const found = clientCall(node, ancestors);
    if (found === null || !rewriteCall(draft, found, names))
      draft.leave(node, describe(found, node), page);
  });
  listTokenSets(draft);
  for (const use of uses) renameImport(draft, use, client, names);
}

function describe(found: ClientCall | null, node: Node): string {
  return found === null
    ? `${nameOf(node)} is used in another way`
    : `auth0.${found.method} in this form`;
}

function clientCall(node: Node, ancestors: readonly Node[]): ClientCall | null {
  const [member, call, ...others] = ancestors;
  if (member?.type !== "MemberExpression" || child(member, "object") !== node) return null;
  if (call?.type !== "CallExpression" || child(call, "callee") !== member) return null;
  return { method: nameOf(child(member, "property")), call, ancestors: others };
}

/** Returns whether a call was replaced. */
function rewriteCall(draft: Draft, found: ClientCall, names: Names): boolean {
  switch (found.method) {
    case "getSession":
      return rewriteSession(draft, found, names);
    case "getAccessToken":
      return rewriteToken(draft, found, names);
    case "withPageAuthRequired":
      return rewriteGuard(draft, found, names, "");
    case "withApiAuthRequired":
      return rewriteGuard(draft, found, names, "route");
    default:
      return false;
  }
}

function rewriteSession(draft: Draft, { call, ancestors }: ClientCall, names: Names): boolean {
  const [parent, outer] = ancestors;
  if (children(call, "arguments").length > 0) return false;
  if (parent?.type !== "AwaitExpression") {
    draft.replace(call, `${names.use("auth")}().then(({ session }) => session)`);
    return true;
  }
  draft.replace(parent, `${startOf(outer)}(await ${names.use("auth")}()).session`);
  return true;
}

/** Without semicolons, a line that begins with a bracket would call the line before. */
function startOf(outer: Node | undefined): string {
  return outer?.type === "ExpressionStatement" ? ";" : "";
}

function rewriteToken(draft: Draft, { call, ancestors }: ClientCall, names: Names): boolean {
  const [parent, outer] = ancestors;
  if (parent?.type !== "AwaitExpression" || children(call, "arguments").length > 0) return false;
  const token = `await (await ${names.use("auth")}()).accessToken()`;
  const pattern = outer?.type === "VariableDeclarator" ? child(outer, "id", "ObjectPattern") : null;
  const [property, ...others] = children(pattern, "properties");
  const local = nameOf(child(property ?? null, "value"));
  if (
    pattern !== null &&
    others.length === 0 &&
    nameOf(child(property ?? null, "key")) === "token" &&
    local !== ""
  ) {
    draft.replace(pattern, local);
    draft.replace(parent, token);
    return true;
  }
  draft.replace(parent, `${startOf(outer)}({ token: ${token} })`);
  if (pattern !== null)
    draft.leave(pattern, "only the token is there, not its end and scope", page);
  return true;
}

/** Takes a guard off a function, and makes the check its first statement. */
function rewriteGuard(
  draft: Draft,
  { call, ancestors }: ClientCall,
  names: Names,
  wrapper: "" | "route",
): boolean {
  const [inner, options] = children(call, "arguments");
  const body = child(inner ?? null, "body", "BlockStatement");
  const isFunction =
    inner?.type === "FunctionExpression" || inner?.type === "ArrowFunctionExpression";
  if (inner === undefined || body === null || !isFunction) return false;
  if (/^(?:src\/)?pages\//.test(draft.path)) return false;
  const [outer] = ancestors;
  const isDeclared =
    outer?.type === "ExportDefaultDeclaration" && inner.type === "FunctionExpression";
  const open = wrapper === "" ? "" : `${names.use(wrapper)}(`;
  draft.replace(
    { start: call.start, end: inner.start },
    `${open}${inner["async"] === true ? "" : "async "}`,
  );
  const end = wrapper === "" && isDeclared ? outer.end : call.end;
  draft.replace({ start: inner.end, end }, wrapper === "" ? "" : ")");
  const start = body.start + 1;
  const [first] = children(body, "body");
  const indent = first === undefined ? "\n  " : lineStart(draft, first);
  draft.replace({ start, end: start }, `${indent}(await ${names.use("auth")}()).require();`);
  if (options !== undefined && hasMoreThanReturnTo(options))
    draft.leave(options, "its options were removed: the user comes back to the page itself", page);
  return true;
}

function hasMoreThanReturnTo(options: Node): boolean {
  const names = children(options, "properties").map((each) => nameOf(child(each, "key")));
  return options.type !== "ObjectExpression" || names.some((name) => name !== "returnTo");
}

function namesFor({ program }: Draft): Names {
  const taken = new Set<string>();
  walk(program, (node, [parent]) => {
    const isMember = parent?.type === "MemberExpression" && child(parent, "property") === node;
    if (node.type === "Identifier" && !isMember) taken.add(nameOf(node));
  });
  const used = new Set<string>();
  return {
    used,
    use(name) {
      const local = taken.has(name) ? `${name}OfLatchkey` : name;
      used.add(local === name ? name : `${name} as ${local}`);
      return local;
    },
  };
}

function renameImport(draft: Draft, use: ModuleUse, { name }: ClientFile, { used }: Names): void {
  const former = use.imported.find((each) => each.name === name);
  if (former === undefined) return;
  const names = [...used].toSorted().join(", ");
  if (names === "" && use.imported.length === 1) draft.replace(wholeLine(draft, use.statement), "");
  else draft.replace(former.node, names === "" ? name : names);
}

/** A session of ours has the tokens beside the user. */
function listTokenSets(draft: Draft): void {
  walk(draft.program, (node, [parent]) => {
    const isMember = parent?.type === "MemberExpression" && child(parent, "property") === node;
    if (isMember && nameOf(node) === "tokenSet")
      draft.leave(node, "a session has no tokenSet: call accessToken()", page);
  });
}
