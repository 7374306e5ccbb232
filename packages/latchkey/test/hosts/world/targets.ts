/** The body for a target which has reached a protected page. */
export const secret = "for signed-in people only";

/** The body for a target which is public in each reading. */
export const open = "for everybody";

/** The page of a careless server behind the guard for a target. */
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
 * Returns every path read from a target by some server: dots resolved before or after decoding, or
 * not; decoded never, once or twice; backslashes read as slashes, or not; slashes merged, or not;
 * parsed by WHATWG's rules.
 */
function interpretationsOf(target: string): readonly string[] {
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
