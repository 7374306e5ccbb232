import { cookieName, type HeaderList } from "../../http/headers.ts";

/** Tells components and handlers, which cannot see it, what was asked for. */
export const targetHeader = "x-latchkey-target";

/** There where the session is renewed by the response already. */
export const renewedHeader = "x-latchkey-renewed";

/**
 * Changes the request that Next goes on with. A header that is not listed is taken away, so all others are listed;
 * none of ours is taken from the client.
 *
 * @param response - of `NextResponse.next` or `NextResponse.rewrite`; with any other one Next does not go on
 */
export function handOn(request: Request, response: Response, changed: HeaderList): void {
  const { headers } = response;
  if (!headers.has("x-middleware-next") && !headers.has("x-middleware-rewrite")) return;
  const given = headers.get("x-middleware-override-headers");
  const sent = given?.split(",") ?? [...request.headers.keys()];
  const kept = sent.filter((name) => !name.startsWith("x-latchkey-"));
  if (given === null) {
    for (const name of kept)
      headers.set(`x-middleware-request-${name}`, request.headers.get(name) ?? "");
  }
  for (const [name, value] of changed) headers.set(`x-middleware-request-${name}`, value);
  const names = new Set([...kept, ...changed.map(([name]) => name)]);
  headers.set("x-middleware-override-headers", [...names].join(","));
}

/** The `Cookie` header that the browser would send after these `Set-Cookie` values. */
export function cookieHeaderAfter(cookie: string | null, setCookies: readonly string[]): string {
  const written = setCookies.map((line) => line.split(";", 1)[0] ?? "");
  const names = new Set(written.map(cookieName));
  const kept = (cookie ?? "").split(";").map((pair) => pair.trim());
  return [
    ...kept.filter((pair) => pair !== "" && !names.has(cookieName(pair))),
    ...written.filter((pair) => !pair.endsWith("=")),
  ].join("; ");
}
