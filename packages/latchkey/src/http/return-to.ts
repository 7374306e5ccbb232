import { isUnder, pathInterpretations } from "./request-target.ts";

export interface ReturnToRules {
  /** The app's base URL, without a trailing slash. */
  readonly baseURL: string;
  /** Paths of the auth routes: no destination, because login would end in logout or loop. */
  readonly authPath: string;
  /** Origins of other apps that a sign-in may return to. None by default. */
  readonly otherOrigins?: readonly string[];
}

const longest = 4096;

/**
 * Control characters, white space at the ends, backslashes, and similar characters of some parsers.
 */
// oxlint-disable-next-line no-control-regex -- these very characters are what is looked for
const suspicious = /[\u0000-\u001f\u007f-\u009f\\\u2028\u2029\ufeff]|^\s|\s$/;

/**
 * Returns the absolute address to return to after sign-in; `null` for an unsafe value. Safe means:
 * http(s), the origin of the base URL or one of the other origins, no user info, no control
 * characters or backslash, no auth route, and no `//` path unless the value itself has its origin
 * before it.
 * The result is absolute: a path such as `//elsewhere` is harmless only together with its origin.
 */
export function safeReturnTo(
  value: string,
  { baseURL, authPath, otherOrigins = [] }: ReturnToRules,
): string | null {
  if (value === "" || value.length > longest || suspicious.test(value)) return null;
  const base = new URL(baseURL);
  const url = URL.parse(value, base);
  if (url === null) return null;
  if (url.protocol !== "https:" && url.protocol !== "http:") return null;
  const isOwn = url.origin === base.origin;
  if (!isOwn && !otherOrigins.includes(url.origin)) return null;
  if (url.username !== "" || url.password !== "") return null;
  const spellsOrigin = value.startsWith(`${url.origin}/`);
  if (!spellsOrigin && (url.pathname.startsWith("//") || hidesASlash(url.pathname))) return null;
  return isOwn && leadsToAuth(url.pathname, authPath) ? null : url.href;
}

/** `/%2f/elsewhere` and `/%5celsewhere` become `//elsewhere` in a server that decodes twice. */
function hidesASlash(path: string): boolean {
  return /^\/%(?:25)*(?:2f|5c)/i.test(path) || /^\/\.*\/\//.test(path);
}

function leadsToAuth(path: string, authPath: string): boolean {
  const readings = pathInterpretations(path);
  return readings === null || readings.some((reading) => isUnder(authPath, reading));
}
