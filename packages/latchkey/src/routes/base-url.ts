import type { Exchange } from "../access/exchange.ts";
import type { Context } from "../context.ts";
import { redirect, type ResponseParts } from "../http/response-parts.ts";

/** Says in the address of login that the browser was sent to the base URL before. */
export const atBaseURLParameter = "at";

/**
 * Notices a login that was opened by another host than that of the base URL, `127.0.0.1` for `localhost` or
 * another port: the provider would send the browser back to a host that has none of its cookies. In
 * development the browser is sent to the base URL first; the log says both, once.
 *
 * @returns the redirect; `null` where login may go on
 */
export function goToBaseURL(
  { config, warnOnce }: Context,
  { request }: Exchange,
  wasSent: boolean,
): ResponseParts | null {
  const host = request.headers.get("host");
  const { host: expected } = new URL(config.origin);
  if (host === null || host.toLowerCase() === expected) return null;
  warnOnce(
    "other-host",
    `Login was opened at ${host.slice(0, 100)}, but LATCHKEY_BASE_URL is ${config.baseURL}: sign-in ends there. Open the app by its base URL, or change LATCHKEY_BASE_URL.`,
  );
  if (config.production || wasSent || request.method !== "GET") return null;
  const { pathname, searchParams } = new URL(request.url);
  searchParams.set(atBaseURLParameter, "base-url");
  return redirect(`${config.origin}${pathname}?${searchParams}`, 302);
}
