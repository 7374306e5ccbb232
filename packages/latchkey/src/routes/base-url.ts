import type { Exchange } from "../access/exchange.ts";
import { isAtOtherHost, warnOfOtherHost } from "../access/other-host.ts";
import type { Context } from "../context.ts";
import { redirect, type ResponseParts } from "../http/response-parts.ts";

/** Says in the address of login that the browser was sent to the base URL before. */
export const atBaseURLParameter = "at";

/**
 * Where login was opened by another host than that of the base URL, the provider would send the browser back to a
 * host that has none of its cookies. In development the browser is sent to the base URL first.
 *
 * @returns the redirect; `null` where login may go on
 */
export function goToBaseURL(
  context: Context,
  { request }: Exchange,
  wasSent: boolean,
): ResponseParts | null {
  const { config } = context;
  if (!isAtOtherHost(context, request)) return null;
  warnOfOtherHost(context, request);
  if (config.production || wasSent || request.method !== "GET") return null;
  const { pathname, searchParams } = new URL(request.url);
  searchParams.set(atBaseURLParameter, "base-url");
  return redirect(`${config.origin}${pathname}?${searchParams}`, 302);
}
