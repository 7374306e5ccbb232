import type { Context } from "../context.ts";
import type { AuthRequest } from "../http/auth-request.ts";

/**
 * Whether the app was opened by another host than that of the base URL, `127.0.0.1` for `localhost` or another port:
 * that host has none of the cookies which sign-in needs.
 */
export function isAtOtherHost({ config }: Context, { headers }: AuthRequest): boolean {
  const host = headers.get("host");
  return host !== null && host.toLowerCase() !== new URL(config.origin).host;
}

/** The log tells both hosts, once. */
export function warnOfOtherHost(context: Context, request: AuthRequest): void {
  if (!isAtOtherHost(context, request)) return;
  const host = request.headers.get("host")?.slice(0, 100);
  context.warnOnce(
    "other-host",
    `The app was opened at ${host}, but LATCHKEY_BASE_URL is ${context.config.baseURL}: sign-in ends there. Open the app by its base URL, or change LATCHKEY_BASE_URL.`,
  );
}
