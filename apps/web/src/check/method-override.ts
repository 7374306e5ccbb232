/** Frameworks that let a client name another method, such as Rails and Laravel, read these. */
const overrideHeaders = ["x-http-method-override", "x-http-method", "x-method-override"];

/**
 * Returns every method that an application may take a request for: its own, and those of headers.
 * A client chooses these headers, so they may only add rules.
 */
export function possibleMethods(method: string, headers: Headers): ReadonlySet<string> {
  const named = overrideHeaders.flatMap((name) => headers.get(name)?.split(",") ?? []);
  return new Set([method, ...named.map((each) => each.trim().toUpperCase())]);
}
