import type { Context } from "../context.ts";
import { Refusal } from "../errors/refusal.ts";
import type { SessionData } from "../session/session.ts";
import { cookieBytes } from "../session/sessions.ts";

/** What common proxies take as one header, in bytes: beyond, a session is worth a warning. */
const proxyLimit = 8 * 1024;

/**
 * Checks that the browser can bring the session back. One that is too large would be refused by
 * servers on the way, on every request, with no page to say why.
 *
 * @throws {Refusal} `session_too_large`, naming the largest parts
 */
export function checkSize(
  { config, log }: Context,
  setCookies: readonly string[],
  data: SessionData,
): void {
  const bytes = cookieBytes(setCookies);
  if (bytes <= proxyLimit) return;
  const parts = largestParts(data);
  const largest = parts.map(({ name, bytes: size }) => `${name} ${size}`).join(", ");
  if (bytes > config.session.maxCookieBytes) {
    throw new Refusal("session_too_large", {
      detail: `${bytes} bytes of cookies, ${config.session.maxCookieBytes} allowed; largest parts: ${largest}. A store (LATCHKEY_STORE) keeps such a session.`,
      largestParts: parts.map(({ name }) => name),
    });
  }
  log({ event: "session-large", bytes, largest });
}

/** The names of the largest parts with their sizes, no values. */
function largestParts({ user, ...rest }: SessionData) {
  const parts = [
    ...Object.entries(rest),
    ...Object.entries(user).map(([name, value]) => [`user.${name}`, value] as const),
  ];
  return parts
    .map(([name, value]) => ({ name, bytes: JSON.stringify(value)?.length ?? 0 }))
    .toSorted((one, other) => other.bytes - one.bytes)
    .slice(0, 3);
}
