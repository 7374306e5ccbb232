import type { Draft } from "./draft.ts";
import { child, nameOf, type Node, textOf, walk } from "./syntax.ts";

/** Renames what the code reads of `process.env`. Returns the places of names without a new one. */
export function renameEnvironment(
  draft: Draft,
  newName: (name: string) => string | null,
): readonly { readonly name: string; readonly node: Node }[] {
  const kept: { name: string; node: Node }[] = [];
  walk(draft.program, (node) => {
    const property = node.type === "MemberExpression" ? child(node, "property") : null;
    const object = child(node, "object", "MemberExpression");
    const isEnvironment =
      nameOf(child(object, "object")) === "process" && nameOf(child(object, "property")) === "env";
    if (property === null || !isEnvironment) return;
    const name = textOf(property) ?? nameOf(property);
    if (!/^(?:AUTH0_|NEXT_PUBLIC_AUTH0_|APP_BASE_URL$)/.test(name)) return;
    const renamed = newName(name);
    if (renamed === null) kept.push({ name, node });
    else
      draft.replace(
        property,
        draft.code.slice(property.start, property.end).replace(name, renamed),
      );
  });
  return kept;
}
