import type { OriginalRequest } from "./original-request.ts";

/** Frameworks that let a client name another method, such as Rails and Laravel, read these. */
const overrideHeaders = ["x-http-method-override", "x-http-method", "x-method-override"];
/** Some read it in the query as well. */
const overrideParameter = "_method";

/**
 * Returns every method that an application may take a request for: its own, and those which the
 * client names in headers and query. What a client chooses may only add rules.
 */
export function possibleMethods(
  { method, target }: Pick<OriginalRequest, "method" | "target">,
  headers: Headers,
): ReadonlySet<string> {
  const query = new URLSearchParams(target.slice(target.indexOf("?") + 1));
  const inHeaders = overrideHeaders.flatMap((name) => headers.get(name)?.split(",") ?? []);
  const named = [...inHeaders, ...query.getAll(overrideParameter)];
  return new Set([method, ...named.map((each) => each.trim().toUpperCase())]);
}
