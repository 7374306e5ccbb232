import { dirname, join, normalize } from "node:path/posix";

import type { Draft } from "../draft.ts";
import { importsOf } from "../former-imports.ts";
import { child, children, nameOf, type Node, textOf, walk } from "../syntax.ts";

const page = "moving/nextjs-auth0-4";

/** The module of an app that makes its `Auth0Client`. */
export interface ClientFile {
  readonly path: string;
  /** The name under which it exports the client. */
  readonly name: string;
  readonly statement: Node;
  /** The options in the code; `null` without any. */
  readonly options: Node | null;
}

/** Returns the client in a file; `null` if it makes none and exports it by its name. */
export function clientFileOf({
  path,
  program,
}: Pick<Draft, "path" | "program">): ClientFile | null {
  for (const statement of children(program, "body")) {
    if (statement.type !== "ExportNamedDeclaration") continue;
    const declaration = child(statement, "declaration", "VariableDeclaration");
    const [declared, ...others] = children(declaration, "declarations");
    const made = child(declared ?? null, "init", "NewExpression");
    if (nameOf(child(made, "callee")) !== "Auth0Client" || others.length > 0) continue;
    const [options = null] = children(made, "arguments");
    return { path, name: nameOf(child(declared ?? null, "id")), statement, options };
  }
  return null;
}

/** Returns whether an import names a module: by a path from the file, or by an alias. */
export function isImportOf(specifier: string, from: string, module: string): boolean {
  const bare = (path: string) => path.replace(/\.[cm]?[jt]sx?$/, "").replace(/\/index$/, "");
  if (specifier.startsWith("."))
    return bare(normalize(join(dirname(from), specifier))) === bare(module);
  const below = specifier.replace(/^(?:@|~|#)?\//, "").replace(/^@[\w-]*\//, "");
  return below.includes("/") || specifier !== below
    ? `/${bare(module)}`.endsWith(`/${bare(below)}`)
    : bare(module) === bare(below);
}

/** What the new options are made of. */
export interface ClientOptions {
  readonly publicPaths: readonly string[];
  /** Date of the end of former sessions. */
  readonly until: string;
}

/** Makes the sign-in of Latchkey of the `Auth0Client`. */
export function rewriteClientFile(draft: Draft, client: ClientFile, given: ClientOptions): void {
  const former = importsOf(draft.program).find(
    ({ specifier }) => specifier === "@auth0/nextjs-auth0/server",
  );
  if (former === undefined) return;
  draft.replace(
    former.statement,
    'import { nextjsAuth0 } from "latchkey/moving";\nimport { latchkey } from "latchkey/next";',
  );
  for (const { name, node } of former.imported) {
    if (name !== "Auth0Client") draft.leave(node, `${name} has no counterpart`, `${page}#code`);
  }
  const lines = [
    "// Users who are signed in stay so: delete this line and AUTH0_SECRET after the date.",
    `formerSessions: nextjsAuth0({ secret: process.env.AUTH0_SECRET, until: "${given.until}" }),`,
    "// nextjs-auth0 guards no path by itself. Remove those that need a sign-in.",
    `publicPaths: [${given.publicPaths.map((each) => JSON.stringify(each)).join(", ")}],`,
    'routes: { prefix: "/auth", postLogoutRedirect: "" },',
    ...optionLines(draft, client.options),
  ];
  const text = `export const { auth, initialSession, proxy, route } = latchkey({\n  ${lines.join("\n  ")}\n});`;
  draft.replace(client.statement, text);
}

/** Options of the former client as ours, as far as they have a counterpart. */
function optionLines(draft: Draft, options: Node | null): readonly string[] {
  return children(options, "properties").flatMap((property) => {
    const name = nameOf(child(property, "key"));
    const value = child(property, "value");
    const lines = value === null ? null : linesFor(draft, name, value);
    const part = name === "domain" ? "domain-as-a-function" : "settings";
    if (lines === null) draft.leave(property, `the option ${name} was removed`, `${page}#${part}`);
    return lines ?? [];
  });
}

/** What a variable sets that has been renamed. */
const fromVariables: Readonly<Record<string, string>> = {
  domain: "AUTH0_DOMAIN",
  clientId: "AUTH0_CLIENT_ID",
  clientSecret: "AUTH0_CLIENT_SECRET",
  appBaseUrl: "APP_BASE_URL",
  secret: "AUTH0_SECRET",
};

function linesFor(draft: Draft, name: string, value: Node): readonly string[] | null {
  const source = (node: Node) => draft.code.slice(node.start, node.end);
  const variable = fromVariables[name];
  if (variable !== undefined) {
    return source(value).replace(/!$/, "") === `process.env.${variable}` ? [] : null;
  }
  if (name === "authorizationParameters")
    return parameterLines(children(value, "properties"), source);
  if (name !== "session") return null;
  const known = new Map([
    ["rolling", "rolling"],
    ["absoluteDuration", "absoluteDuration"],
    ["inactivityDuration", "rollingDuration"],
  ]);
  const members = children(value, "properties").map((each) => {
    const ours = known.get(nameOf(child(each, "key")));
    const inner = child(each, "value");
    return ours === undefined || inner === null ? null : `${ours}: ${source(inner)}`;
  });
  return members.includes(null) ? null : [`session: { ${members.join(", ")} },`];
}

function parameterLines(
  properties: readonly Node[],
  source: (node: Node) => string,
): readonly string[] | null {
  if (properties.some((each) => child(each, "key") === null)) return null;
  const isScope = (each: Node) => nameOf(child(each, "key")) === "scope";
  const scope = properties.find(isScope);
  const scopeValue = child(scope ?? null, "value");
  const others = properties.filter((each) => !isScope(each)).map(source);
  return [
    ...(scopeValue === null ? [] : [`scope: ${source(scopeValue)},`]),
    ...(others.length === 0 ? [] : [`authorizationParams: { ${others.join(", ")} },`]),
  ];
}

/** Changes an address that the browser part of version 4 has, and lists one that is gone. */
export function rewriteAddresses(draft: Draft): void {
  walk(draft.program, (node) => {
    const text = textOf(node);
    if (text === "/auth/profile")
      draft.replace(node, draft.code.slice(node.start, node.end).replace(text, "/auth/me"));
    if (text === "/auth/access-token")
      draft.leave(
        node,
        "tokens never reach the browser: call the API from your server",
        `${page}#code`,
      );
  });
}
