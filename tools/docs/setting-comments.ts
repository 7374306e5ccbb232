import { parseSync } from "vite";

/** What the doc comment of an option says. */
export interface SettingComment {
  /** Without line breaks. */
  readonly text: string;
  /** The value of its `@default` tag, as JSON. */
  readonly defaultValue?: string;
}

type Members = ReadonlyMap<string, Member>;

interface Member {
  readonly comment: SettingComment | undefined;
  /** The interface of an option with further options. */
  readonly type: string | undefined;
}

/**
 * Reads the doc comments of every option from the source of the settings' interfaces.
 *
 * @returns comments by option, e.g. `session.cookie.secure`
 * @throws {TypeError} for an option without a comment
 */
export function settingComments(source: string): ReadonlyMap<string, SettingComment> {
  const interfaces = interfacesOf(source);
  const found = new Map<string, SettingComment>();
  const collect = (name: string, path: readonly string[]): void => {
    for (const [key, { comment, type }] of interfaces.get(name) ?? []) {
      const option = [...path, key];
      if (type !== undefined && interfaces.has(type)) collect(type, option);
      else if (comment === undefined) throw new TypeError(`${option.join(".")} has no comment`);
      else found.set(option.join("."), comment);
    }
  };
  collect("Settings", []);
  return found;
}

/** The members of each interface, including those of its parent interface. */
function interfacesOf(source: string): ReadonlyMap<string, Members> {
  const { program, comments } = parseSync("settings.ts", source);
  const commentBefore = (start: number): SettingComment | undefined => {
    const last = comments.findLast(({ end }) => end <= start);
    const isAdjacent = last !== undefined && source.slice(last.end, start).trim() === "";
    return isAdjacent ? readComment(last.value) : undefined;
  };
  const interfaces = new Map<string, Members>();
  for (const statement of program.body) {
    const declaration =
      statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    if (declaration?.type !== "TSInterfaceDeclaration") continue;
    const members = new Map<string, Member>();
    for (const { expression } of declaration.extends) {
      const base = expression.type === "Identifier" ? interfaces.get(expression.name) : undefined;
      for (const [key, member] of base ?? []) members.set(key, member);
    }
    for (const member of declaration.body.body) {
      if (member.type !== "TSPropertySignature" || member.key.type !== "Identifier") continue;
      const type = /\w+/.exec(
        source.slice(member.typeAnnotation?.typeAnnotation.start ?? member.end),
      )?.[0];
      members.set(member.key.name, { comment: commentBefore(member.start), type });
    }
    interfaces.set(declaration.id.name, members);
  }
  return interfaces;
}

function readComment(value: string): SettingComment {
  const lines = value.split("\n").map((line) => line.replace(/^\s*\*?\s*/, "").trimEnd());
  const joined = lines.filter((line) => line !== "").join(" ");
  const [text = "", defaultValue] = joined.split(" @default ");
  return defaultValue === undefined ? { text } : { text, defaultValue };
}
