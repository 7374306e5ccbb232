import { isJSONObject, type JSONObject, kindOf } from "./json-object.ts";

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

/** Returns which rule a text breaks that `parseStrictJSON` refuses, for the log. */
export function faultOfJSON(bytes: Uint8Array | ArrayBuffer): string {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  if (text === "") return "it is empty";
  if (text.startsWith("\uFEFF")) return "it begins with a byte order mark";
  if (!isUTF8(bytes)) return "it is not UTF-8";
  const value = valueOf(text);
  if (value === undefined) {
    return /^\s*</.test(text) ? "it is HTML or XML" : "it is not JSON, or not all of it";
  }
  if (!isJSONObject(value)) return `it is ${kindOf(value)}`;
  return ambiguityIn(text) ?? "it has no fault";
}

function isUTF8(bytes: Uint8Array | ArrayBuffer): boolean {
  try {
    return utf8.decode(bytes) !== null;
  } catch {
    return false;
  }
}

/** `undefined` for a text that is no JSON. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns whether a JSON text has one meaning for every reader. A text equal to the output of
 * `JSON.stringify` has each member once, so it needs no walk if it opens no more levels in all than
 * it may have at once, and has no escaped surrogate.
 */
function isUnambiguous(text: string, value: unknown): boolean {
  const opened = text.match(/[[{]/g)?.length ?? 0;
  const isPlain = opened <= deepest && !text.includes("\\u");
  return (isPlain && JSON.stringify(value) === text) || ambiguityIn(text) === null;
}

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/**
 * Returns why a JSON text may have several meanings; `null` if it has one. Walks the text once and
 * looks at member names and depth. The text must be JSON: in anything else the search for the end
 * of a text would begin anew at every quote, and take seconds.
 */
function ambiguityIn(text: string): string | null {
  const levels: (Set<string> | null)[] = [];
  let expectsName = false;
  for (const [part] of text.matchAll(token)) {
    if (part === "{" || part === "[") {
      levels.push(part === "{" ? new Set() : null);
      if (levels.length > deepest) return `it has more than ${deepest} levels`;
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
      if (!string.isWellFormed()) return "it has half a surrogate pair";
      if (expectsName && !isNew(levels.at(-1), string)) return `it has ${shown(string)} twice`;
    }
  }
  return null;
}

function isNew(names: Set<string> | null | undefined, name: string): boolean {
  if (names == null || names.has(name)) return false;
  names.add(name);
  return true;
}

/** The name of a member on one line, shortened. */
function shown(name: string): string {
  return JSON.stringify(name.slice(0, 40));
}
