/**
 * How servers read a request target: an independent check of the guard, by other means if possible
 * (the WHATWG parser, `decodeURIComponent`, posix paths).
 */
import { posix } from "node:path";

type Step = (path: string) => string;

const asSent: Step = (path) => path;
const decodeWhole: Step = (path) => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};
/** Decodes piece by piece and keeps broken escapes, as some servers do. */
const decodePieces: Step = (path) =>
  path.replace(/(?:%[\da-f]{2})+/gi, (escapes) => decodeWhole(escapes));
const mergeSlashes: Step = (path) => path.split(/\/+/).join("/");
const backSlashes: Step = (path) => path.split("\\").join("/");
const withoutParameters: Step = (path) =>
  path
    .split("/")
    .map((segment) => segment.split(";", 1)[0])
    .join("/");
const untilQuery: Step = (path) => /^[^?#]*/.exec(path)?.[0] ?? "";
/** The WHATWG parser; it also reads `%2e` as a dot and a back slash as a slash. */
const whatwg: Step = (path) => URL.parse(`http://app.example${path}`)?.pathname ?? path;
/** As `path.normalize` of file servers: merges slashes and resolves dots together. */
const posixPath: Step = (path) => posix.normalize(path);
/** As RFC 3986, section 5.2.4 is done by hand: an empty segment is a segment. */
const resolveDots: Step = (path) => {
  let rest = path;
  let done = "";
  while (rest !== "") {
    if (rest.startsWith("/../")) [rest, done] = [rest.slice(3), done.replace(/\/[^/]*$/, "")];
    else if (rest === "/..") [rest, done] = ["/", done.replace(/\/[^/]*$/, "")];
    else if (rest.startsWith("/./")) rest = rest.slice(2);
    else if (rest === "/.") rest = "/";
    else {
      const segment = /^\/?[^/]*/.exec(rest)?.[0] ?? rest;
      [rest, done] = [rest.slice(segment.length), done + segment];
    }
  }
  return done;
};

const decodings: readonly Step[] = [asSent, decodeWhole, decodePieces];
const tidyings: readonly Step[] = [
  asSent,
  mergeSlashes,
  resolveDots,
  posixPath,
  whatwg,
  backSlashes,
  withoutParameters,
  untilQuery,
];

/**
 * Returns every path a server may read from one, with up to two decodings, normalized before,
 * between and after.
 */
export function readingsOf(path: string): ReadonlySet<string> {
  const apply = (paths: ReadonlySet<string>, steps: readonly Step[]) =>
    new Set([...paths].flatMap((each) => steps.map((step) => step(each))));
  let paths: ReadonlySet<string> = new Set([path]);
  for (const steps of [tidyings, decodings, tidyings, decodings, tidyings, tidyings]) {
    paths = apply(paths, steps);
  }
  return paths;
}
