import { isJSONObject, type JSONObject } from "./json-object.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const deepest = 64;

/**
 * Reads a JSON object with one meaning for every reader (RFC 8259, RFC 8725 section 2.7): valid
 * UTF-8, no byte order mark, no duplicate member, no lone surrogate, limited depth. Returns `null`
 * for anything else.
 */
export function parseStrictJSON(bytes: Uint8Array | ArrayBuffer): JSONObject | null {
  try {
    const text = utf8.decode(bytes);
    const value: unknown = JSON.parse(text);
    return isJSONObject(value) && isUnambiguous(text, value) ? value : null;
  } catch {
    return null;
  }
}

/**
 * Returns whether a JSON text has one meaning for every reader. A text equal to the output of
 * `JSON.stringify` has each member once, so it needs no walk if it is shallow and has no escaped
 * surrogate.
 */
function isUnambiguous(text: string, value: unknown): boolean {
  const isPlain = !text.includes("\\u") && isShallow(value, deepest);
  return (isPlain && JSON.stringify(value) === text) || isUnambiguousInParts(text);
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((each) => isShallow(each, levels - 1));
}

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/**
 * Walks the text once and looks at member names and depth. The text must be JSON: in anything else
 * the search for the end of a text would begin anew at every quote, and take seconds.
 */
function isUnambiguousInParts(text: string): boolean {
  const levels: (Set<string> | null)[] = [];
  let expectsName = false;
  for (const [part] of text.matchAll(token)) {
    if (part === "{" || part === "[") {
      levels.push(part === "{" ? new Set() : null);
      if (levels.length > deepest) return false;
      expectsName = part === "{";
    } else if (part === "}" || part === "]") {
      levels.pop();
      expectsName = false;
    } else if (part === ",") {
      expectsName = levels.at(-1) instanceof Set;
    } else if (part === ":") {
      expectsName = false;
    } else {
      const string = String(JSON.parse(part));
      if (!string.isWellFormed()) return false;
      if (expectsName && !isNew(levels.at(-1), string)) return false;
    }
  }
  return true;
}

function isNew(names: Set<string> | null | undefined, name: string): boolean {
  if (names == null || names.has(name)) return false;
  names.add(name);
  return true;
}
