import type { Draft } from "../draft.ts";
import { quote } from "../draft.ts";
import { importsOf } from "../former-imports.ts";
import { child, children, nameOf, type Node, walk } from "../syntax.ts";

const page = "moving/nextjs-auth0-4#code";

/** Names of version 4 in `@latchkey/nextjs-auth0/client`. */
const ours: Readonly<Record<string, string>> = {
  useUser: "useUser",
  withPageAuthRequired: "withPageAuthRequired",
  Auth0Provider: "UserProvider as Auth0Provider",
};

/** The addresses that version 4 has by default. */
const addresses = 'profileUrl="/auth/me" loginUrl="/auth/login"';

/** Replaces the part for the browser. Returns which of its names the file uses. */
export function rewriteBrowser(draft: Draft): readonly string[] {
  const uses = importsOf(draft.program).filter(
    ({ specifier }) => specifier === "@auth0/nextjs-auth0",
  );
  for (const { source, imported } of uses) {
    draft.replace(source, quote(draft, "@latchkey/nextjs-auth0/client"));
    for (const { name, local, node } of imported) {
      const renamed = ours[name];
      if (renamed === undefined)
        draft.leave(node, `${name} has no counterpart in the browser`, page);
      else if (renamed !== name) draft.replace(node, renamed.replace(/\w+$/, local));
    }
  }
  const imported = uses.flatMap((each) => each.imported);
  rewriteProviders(draft, imported.find(({ name }) => name === "Auth0Provider")?.local);
  if (imported.some(({ name }) => name === "useUser")) rewriteInvalidate(draft);
  return imported.map(({ name }) => name);
}

function rewriteProviders(draft: Draft, local: string | undefined): void {
  if (local === undefined) return;
  walk(draft.program, (node) => {
    const name = node.type === "JSXOpeningElement" ? child(node, "name", "JSXIdentifier") : null;
    if (name === null || nameOf(name) !== local) return;
    draft.replace({ start: name.end, end: name.end }, ` ${addresses}`);
  });
}

/** `invalidate` of version 4 is `checkSession` of version 3. */
function rewriteInvalidate(draft: Draft): void {
  walk(draft.program, (node) => {
    if (node.type !== "VariableDeclarator") return;
    const call = child(node, "init", "CallExpression");
    if (nameOf(child(call, "callee")) !== "useUser") return;
    for (const property of children(child(node, "id", "ObjectPattern"), "properties")) {
      const key = child(property, "key");
      if (key === null || nameOf(key) !== "invalidate") continue;
      draft.replace(
        key,
        property["shorthand"] === true ? "checkSession: invalidate" : "checkSession",
      );
    }
  });
}

/** Puts the provider around the children of a layout, or around the page of `_app`. */
export function addProvider(draft: Draft): boolean {
  const found = contentOf(draft.program);
  if (found === null) return false;
  draft.replace({ start: found.start, end: found.start }, `<UserProvider ${addresses}>`);
  draft.replace({ start: found.end, end: found.end }, "</UserProvider>");
  const [first] = importsOf(draft.program);
  const start = first?.statement.start ?? 0;
  const from = quote(draft, "@latchkey/nextjs-auth0/client");
  draft.replace({ start, end: start }, `import { UserProvider } from ${from};\n`);
  return true;
}

function contentOf(program: Node): Node | null {
  let found: Node | null = null;
  walk(program, (node, [parent]) => {
    const isChildren =
      node.type === "JSXExpressionContainer" &&
      parent?.type === "JSXElement" &&
      nameOf(child(node, "expression", "Identifier")) === "children";
    const opening = node.type === "JSXElement" ? child(node, "openingElement") : null;
    const isComponent = nameOf(child(opening, "name", "JSXIdentifier")) === "Component";
    if (isChildren || isComponent) found ??= node;
  });
  return found;
}
