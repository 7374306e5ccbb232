/** The path of an absolute URL, as sent, without query: cheaper than building a URL on every request. */
export function pathOf(url: string): string {
  const start = pathStart(url);
  if (start === -1) return "/";
  const end = url.slice(start).search(/[?#]/);
  return end === -1 ? url.slice(start) : url.slice(start, start + end);
}

/** Path and query of an absolute URL, without fragment. */
export function pathAndQueryOf(url: string): string {
  const start = pathStart(url);
  if (start === -1) return "/";
  const end = url.indexOf("#", start);
  return end === -1 ? url.slice(start) : url.slice(start, end);
}

function pathStart(url: string): number {
  return url.indexOf("/", url.indexOf("://") + 3);
}

const maxDecodingRounds = 5;

/** Segments without an escape, a back slash or a leading dot, none of them empty but perhaps the last. */
const plainPath = /^(?:\/[^/\\%.][^/\\%]*)*\/?$/;

/**
 * Every way in which a server behind us might read a path: as sent, and after each round of percent-decoding,
 * with back slashes, double slashes and dot segments resolved.
 *
 * `null` where the path is encoded over and over: then nothing may be concluded from it.
 */
export function readingsOfPath(path: string): readonly string[] | null {
  if (plainPath.test(path)) return [path];
  const readings = [path];
  let current = path;
  for (let round = 0; round < maxDecodingRounds; round += 1) {
    const resolved = resolveSegments(current);
    if (!readings.includes(resolved)) readings.push(resolved);
    const decoded = decodeASCII(current);
    if (decoded === current) return readings;
    current = decoded;
  }
  return null;
}

/** Decodes what can change the meaning of a path; other escapes, also broken ones, stay as they are. */
function decodeASCII(path: string): string {
  return path.replaceAll(/%[0-7][\da-f]/gi, (escape) =>
    String.fromCharCode(Number.parseInt(escape.slice(1), 16)),
  );
}

function resolveSegments(path: string): string {
  const segments: string[] = [];
  const given = path.replaceAll("\\", "/").split("/");
  for (const segment of given) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  const isFolder = segments.length > 0 && /^\.{0,2}$/.test(given.at(-1) ?? "");
  return `/${segments.join("/")}${isFolder ? "/" : ""}`;
}

/** Whether a path is the folder itself or lies below it, by whole segments: `/api` holds `/api/x`, not `/apix`. */
export function isUnder(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
