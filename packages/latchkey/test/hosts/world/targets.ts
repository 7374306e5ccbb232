import * as fc from "fast-check";

/** What a server says that has let a target through to a page for signed-in people only. */
export const secret = "for signed-in people only";

/** What it says where the target is public, whatever a server makes of it. */
export const open = "for everybody";

/** The page that a careless server behind the guard serves for a target. */
export function pageFor(target: string): string {
  return interpretationsOf(target).every(isPublic) ? open : secret;
}

/** The rule of the guard, said a second time: the paths of the engine and `publicPaths`. */
function isPublic(path: string): boolean {
  return (
    /^\/(?:api\/auth|_auth|_next)(?:\/|$)/.test(path) ||
    path.startsWith("/public/") ||
    /^\/*$/.test(path) ||
    ["/favicon.ico", "/cacheable", "/require", "/require-rule"].includes(path)
  );
}

/**
 * Every path for which some server takes a target: dots resolved before or after decoding, or not; decoded
 * never, once or twice; back slashes read as slashes, or not; slashes merged, or not; parsed by WHATWG's rules.
 */
export function interpretationsOf(target: string): readonly string[] {
  const paths = new Set<string>();
  for (const start of startsOf(target)) {
    for (const rounds of [0, 1, 2]) {
      const decoded = decode(start, rounds);
      for (const path of [decoded, decoded.replaceAll("\\", "/")]) {
        for (const merged of [path, path.replace(/\/{2,}/g, "/")]) {
          paths.add(merged).add(withoutDots(merged));
        }
      }
    }
  }
  return [...paths];
}

function startsOf(target: string): readonly string[] {
  const afterAuthority = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#\\]*/i, "");
  const asSent = [target, afterAuthority].flatMap((each) => [
    withoutQuery(each),
    withoutQuery(each).split("#", 1)[0] ?? "",
  ]);
  const behindHost = target.startsWith("/") ? [`http://host${target}`] : [];
  const parsed = [target, ...behindHost].flatMap(
    (each) => URL.parse(each, "http://host")?.pathname ?? [],
  );
  const origin = [...asSent, ...parsed].filter((each) => each === "" || each.startsWith("/"));
  return [...origin, ...origin.map(withoutDots)];
}

function withoutQuery(target: string): string {
  return target.split("?", 1)[0] ?? "";
}

function decode(path: string, rounds: number): string {
  let decoded = path;
  for (let round = 0; round < rounds; round += 1) {
    decoded = decoded.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }
  return decoded;
}

/** Removes dot segments, as RFC 3986, section 5.2.4. */
function withoutDots(path: string): string {
  const kept: string[] = [];
  const segments = path.split("/").slice(1);
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1;
    if (segment === "..") kept.pop();
    if (segment !== ".." && segment !== ".") kept.push(segment);
    else if (isLast) kept.push("");
  }
  return `/${kept.join("/")}`;
}

const slash = oneOf(String.raw`/ / / // /// \ /\ %2f %2F %5c %252f %255C`);
const segment = oneOf(
  `public _next api auth _auth favicon.ico require admin private report.html a x%20y publi%63
  %70ublic %2570ublic .. . %2e%2e %2E. .%2e %252e%252e ..%00 ... %c0%ae%c0%ae .. . %2e%2e %2E.`,
);
const start = oneOf(
  String.raw`/ / / / / /public/ /public/ /public/ /_next/ // /\ /api/auth/ /// //public/ http:/
  http://localhost/ http://evil.example/public/ http://localhost https://localhost/_next/
  HTTP://localhost/admin/ ftp://localhost/public/`,
);
const end = fc.oneof(
  fc.constant(""),
  oneOf(
    `/ ? ?x=/public/ ?/../../public/ # #/public/ /. /.. %3f/public/ %23 %00 ;a=b % %zz %2 \u00e9
    %0d%0a & | {}`,
  ),
);

function oneOf(words: string): fc.Arbitrary<string> {
  return fc.constantFrom(...words.split(/\s+/));
}

/** Targets in every form that a client can send. */
export const target: fc.Arbitrary<string> = fc
  .tuple(start, fc.array(fc.tuple(segment, slash), { maxLength: 6 }), end)
  .map(([from, parts, rest]) => from + parts.map((part) => part.join("")).join("") + rest);
