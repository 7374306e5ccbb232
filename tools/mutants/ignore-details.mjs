/**
 * A plugin of StrykerJS: the words of a `detail` are for developers, and a `cause` is for stack
 * traces, so changes of them are left out. What a detail may not hold is tested, and so is what
 * cuts it short.
 */

/**
 * @typedef {{ type: string, key?: { name?: string }, value?: Node, callee?: Node, expressions?:
 *   Node[], properties?: Node[], arguments?: Node[], id?: Node, init?: Node, name?: string }} Node
 */
/** @typedef {{ node: Node, parent?: Node }} NodePath */

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

/** Functions that make an error with a detail, and which argument it is. */
const detailArguments = new Map([
  ["badProof", 0],
  ["otherKind", 0],
  ["wrongAudience", 0],
  ["unusable", 0],
  ["SubjectRefused", 0],
  ["invalidToken", 1],
]);

/** The detail of an error that such a function makes, or that is put into a constant before. */
function isDetailOfCall(/** @type {NodePath} */ { node, parent }) {
  if (!isText(node)) return false;
  if (parent?.type === "VariableDeclarator") return parent.id?.name === "detail";
  const at = detailArguments.get(parent?.callee?.name ?? "");
  return at !== undefined && parent?.arguments?.[at] === node;
}

export const strykerPlugins = [
  {
    kind: "Ignore",
    name: "details",
    value: {
      shouldIgnore(/** @type {NodePath} */ path) {
        const { node } = path;
        const { properties = [] } = node;
        const hasDetailsOnly =
          node.type === "ObjectExpression" && properties.length > 0 && properties.every(isDetail);
        return hasDetailsOnly || isDetail(node) || isDetailOfCall(path)
          ? "words for developers"
          : undefined;
      },
    },
  },
];
