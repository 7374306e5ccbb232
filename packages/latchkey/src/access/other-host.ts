import type { Context } from "../context.ts";
import type { AuthRequest } from "../http/auth-request.ts";

/**
 * Whether the app was opened by another host than that of the base URL, `127.0.0.1` for `localhost` or another port:
 * that host has none of the cookies which sign-in needs. The log says both, once.
 */
export function isAtOtherHost({ config, warnOnce }: Context, { headers }: AuthRequest): boolean {
  const host = headers.get("host");
  if (host === null || host.toLowerCase() === new URL(config.origin).host) return false;
  warnOnce(
    "other-host",
    `The app was opened at ${host.slice(0, 100)}, but LATCHKEY_BASE_URL is ${config.baseURL}: sign-in ends there. Open the app by its base URL, or change LATCHKEY_BASE_URL.`,
  );
  return true;
}
