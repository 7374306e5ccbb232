import { mentions } from "./functions.ts";
import { type Node, nodesIn, parse } from "./tree.ts";

/** The values with settings: by the name of the value, and by the name of its type. */
const holders = ["config", "settings", "connection", "default"];
const holderTypes = ["Config", "Settings", "ResolvedSettings", "ConnectionSettings", "Connection"];

/**
 * Returns the settings of a list read by a source: `config.scope`, or `scope` in a pattern for
 * a config.
 */
export function settingsReadIn(source: string, names: readonly string[]): readonly string[] {
  const found = [...nodesIn(parse(source).program)].flatMap((node) =>
    node.type === "MemberExpression" ? memberOf(node) : fieldsTaken(node),
  );
  return [...new Set(found)].filter((name) => names.includes(name));
}

type MemberExpression = Extract<Node, { type: "MemberExpression" }>;
type ObjectPattern = Extract<Node, { type: "ObjectPattern" }>;

function memberOf({ object, property }: MemberExpression): readonly string[] {
  return property.type === "Identifier" && isHolder(object) ? [property.name] : [];
}

/** The fields of a pattern: of a variable, a parameter, or the field `config` of a pattern. */
function fieldsTaken(node: Node): readonly string[] {
  switch (node.type) {
    case "VariableDeclarator":
      return node.init !== null && isHolder(node.init) ? fieldsOf(node.id) : [];
    case "ObjectPattern":
      return [
        ...(holderTypes.some((type) => mentions(node.typeAnnotation, type)) ? fieldsOf(node) : []),
        ...node.properties.flatMap((field) =>
          field.type === "Property" && holders.includes(nameOf(field.key))
            ? fieldsOf(field.value)
            : [],
        ),
      ];
    default:
      return [];
  }
}

function fieldsOf(pattern: Node): readonly string[] {
  return pattern.type === "ObjectPattern" ? namesOf(pattern) : [];
}

function namesOf({ properties }: ObjectPattern): readonly string[] {
  return properties.flatMap((field) => (field.type === "Property" ? [nameOf(field.key)] : []));
}

/** Also what is taken out of all connections: `connections.default`, `connections.ofSession(…)`. */
function isHolder(node: Node): boolean {
  switch (node.type) {
    case "Identifier":
      return holders.includes(node.name);
    case "MemberExpression":
      return holders.includes(nameOf(node.property)) || isAll(node.object);
    case "CallExpression":
      return node.callee.type === "MemberExpression" && isAll(node.callee.object);
    case "AwaitExpression":
      return isHolder(node.argument);
    default:
      return false;
  }
}

function isAll(node: Node): boolean {
  return (
    (node.type === "MemberExpression" ? nameOf(node.property) : nameOf(node)) === "connections"
  );
}

function nameOf(key: Node): string {
  return key.type === "Identifier" ? key.name : "";
}
