/**
 * A plugin of StrykerJS: the words of a `detail` are for developers, and a `cause` is for stack
 * traces, so changes of them are left out. What a detail may not hold is tested, and so is what
 * cuts it short.
 */

/**
 * @typedef {{ type: string, key?: { name?: string }, value?: Node, callee?: Node, expressions?:
 *   Node[], properties?: Node[] }} Node
 */
/** @typedef {{ node: Node }} NodePath */

/** Literal text, including values that are not cut here. */
function isText(/** @type {Node | undefined} */ node) {
  if (node?.type === "StringLiteral") return true;
  return (
    node?.type === "TemplateLiteral" &&
    (node.expressions ?? []).every(
      ({ type, callee }) => type !== "CallExpression" || callee?.type === "Identifier",
    )
  );
}

function isDetail(/** @type {Node | undefined} */ node) {
  if (node?.type !== "ObjectProperty") return false;
  return node.key?.name === "cause" || (node.key?.name === "detail" && isText(node.value));
}

export const strykerPlugins = [
  {
    kind: "Ignore",
    name: "details",
    value: {
      shouldIgnore(/** @type {NodePath} */ { node }) {
        const { properties = [] } = node;
        const hasDetailsOnly =
          node.type === "ObjectExpression" && properties.length > 0 && properties.every(isDetail);
        return hasDetailsOnly || isDetail(node) ? "words for developers" : undefined;
      },
    },
  },
];
