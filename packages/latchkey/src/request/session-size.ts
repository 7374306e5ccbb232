import type { Config } from "../config/config.ts";
import { cookieBytes } from "../http/cookies.ts";
import type { Log } from "../telemetry/log-event.ts";
import type { SessionData } from "../session/session.ts";
import { describeLargestParts, sessionTooLarge } from "../session/session-too-large.ts";

/** What common proxies take as one header, in bytes: beyond, a session is worth a warning. */
const proxyLimit = 8 * 1024;

/**
 * Checks that the browser can bring the session back. A larger one would be refused by
 * servers on the way, on every request, with no page to say why.
 *
 * @throws {Refusal} `session_too_large`, naming the largest parts
 */
export function checkSize(
  { config, log }: { readonly config: Config; readonly log: Log },
  setCookies: readonly string[],
  data: SessionData,
): void {
  const bytes = cookieBytes(setCookies);
  if (bytes <= proxyLimit) return;
  if (bytes > config.session.maxCookieBytes) {
    const allowed = `${bytes} bytes of cookies, ${config.session.maxCookieBytes} allowed without a store (LATCHKEY_STORE)`;
    throw sessionTooLarge(data, allowed);
  }
  log({ event: "session-large", bytes, largest: describeLargestParts(data) });
}
