/** A request target taken apart. */
export interface RequestTarget {
  /** As sent: nothing is decoded, merged or resolved. */
  readonly path: string;
  /** With its question mark; empty without a query. */
  readonly query: string;
  /** The authority before the path, in absolute-form (RFC 9112, section 3.2.2); else `null`. */
  readonly authority: string | null;
}

/** The default target. */
export const homeTarget: RequestTarget = { path: "/", query: "", authority: null };

/**
 * Characters outside every request target (RFC 9112, section 3.2): white space, control characters,
 * a fragment.
 */
// oxlint-disable-next-line no-control-regex -- these very characters are looked for
const forbidden = /[\u0000-\u0020\u007f#]/;
/** A non-empty authority: some servers look for one after further slashes. */
const absoluteForm = /^https?:\/\/([^/?\\]+)/i;

/** Parses a request target; `null` if servers would disagree about its meaning. */
export function parseTarget(target: string): RequestTarget | null {
  if (forbidden.test(target)) return null;
  const [before = "", authority = null] = absoluteForm.exec(target) ?? [];
  const rest = target.slice(before.length);
  const end = rest.indexOf("?");
  const path = end === -1 ? rest : rest.slice(0, end);
  if (path === "" && authority !== null) return { path: "/", query: rest, authority };
  return path.startsWith("/") ? { path, query: rest.slice(path.length), authority } : null;
}

/** Returns a target without its authority; empty if it cannot be parsed. */
export function originForm(target: string): string {
  if (target.startsWith("/")) return target;
  const { path = "", query = "" } = parseTarget(target) ?? {};
  return path + query;
}

/** Beyond so many, or so many characters of them together, a path was made to confuse. */
const mostInterpretations = 128;
const mostCharacters = 2 ** 18;

// oxlint-disable-next-line no-control-regex -- these very characters are looked for
const control = /[\u0000-\u001f\u007f]/;

/**
 * Segments without an escape, a backslash, a parameter or a leading dot; only the last may be
 * empty.
 */
const plainPath = /^(?:\/[^/\\%.;][^/\\%;]*)*\/?$/;

/** What servers do to a path before its use, in any order and any number of times. */
const steps: readonly ((path: string) => string)[] = [
  (path) => path.replaceAll("\\", "/"),
  (path) => path.replaceAll(/\/{2,}/g, "/"),
  (path) => path.replace(/^\/{2,}[^/]*/, "") || "/",
  (path) => path.replaceAll(/;[^/\\]*/g, ""),
  (path) => path.replaceAll(/;[^/]*/g, ""),
  (path) => path.trimEnd(),
  (path) => path.replaceAll(/%2e/gi, "."),
  (path) => path.split(/[?#]/, 1)[0] ?? "",
  (path) => removeDotSegments(path, "/"),
  (path) => removeDotSegments(path, ""),
  percentDecode,
];

/**
 * Returns every interpretation of a path by a server behind us: as sent, and after any sequence of
 * percent-decoding, resolving dot segments, merging slashes, reading backslashes as slashes,
 * dropping path parameters, and taking `//name` for an authority, as `new URL(target, base)` does.
 * Returns `null` if there are too many, or if one has a control character, which some servers drop:
 * no conclusion is possible then.
 */
export function pathInterpretations(path: string): readonly string[] | null {
  if (plainPath.test(path)) return [path];
  const found = new Set([path]);
  const atMost = Math.min(mostInterpretations, mostCharacters / path.length);
  // A set also iterates over what is added to it meanwhile.
  for (const each of found) {
    for (const step of steps) found.add(step(each));
    if (found.size > atMost || control.test(each)) return null;
  }
  return [...found];
}

/** Decodes the escapes that can change the meaning of a path; others, also broken ones, stay. */
function percentDecode(path: string): string {
  return path.replaceAll(/%[0-7][\da-f]/gi, (escape) =>
    String.fromCharCode(Number.parseInt(escape.slice(1), 16)),
  );
}

/** One character beyond ASCII, in UTF-8. */
const encodedCharacter = /%[c-f][\da-f](?:%[89ab][\da-f]){1,3}/gi;

/**
 * Returns a path as case-insensitive routers compare it. They fold some letters outside ASCII too:
 * the Kelvin sign becomes `k`, the long s becomes `S`.
 */
export function foldCase(path: string): string {
  const decoded = path.replaceAll(encodedCharacter, decodeCharacter);
  return decoded.normalize("NFKC").toUpperCase().toLowerCase();
}

function decodeCharacter(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return escapes;
  }
}

const dotSegment = /\/\.\.?(?:\/|$)/;

/**
 * RFC 3986, section 5.2.4; an empty segment is a segment. After a final dot segment the standard
 * leaves a slash; servers that read the path as a file do not.
 */
function removeDotSegments(path: string, ending: "/" | ""): string {
  // To take a path of 65,000 slashes apart costs ten times as much.
  if (!dotSegment.test(path)) return path;
  const segments: string[] = [];
  const given = path.split("/").slice(1);
  for (const [place, segment] of given.entries()) {
    const isDot = segment === "." || segment === "..";
    if (segment === "..") segments.pop();
    if (!isDot) segments.push(segment);
    else if (place === given.length - 1 && ending === "/") segments.push("");
  }
  return `/${segments.join("/")}`;
}

/**
 * Returns whether a path is a given one with an extension, or with a dot at its end. Rails and
 * others route `/admin.json` as `/admin`. Only what closes a path may use it.
 */
export function isWithExtension(base: string, path: string): boolean {
  if (base === "" || base.endsWith("/") || !path.startsWith(`${base}.`)) return false;
  return /^\.[^/]*\/*$/.test(path.slice(base.length));
}

/**
 * Returns whether a path is a folder or lies below it, by whole segments: `/api` contains `/api/x`,
 * not `/apix`.
 */
export function isUnder(folder: string, path: string): boolean {
  if (!path.startsWith(folder)) return false;
  return path.length === folder.length || folder.endsWith("/") || path[folder.length] === "/";
}
