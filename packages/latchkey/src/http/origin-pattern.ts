import { isHostingSuffix, isPublicSuffix } from "./public-suffixes.ts";

/** One origin, or those with another first label. */
export type OriginPattern = (origin: string) => boolean;

/** What may stand before the rest of a label: no name begins with a hyphen. */
const star = "[a-z0-9][a-z0-9-]*";
/** A label has at most 63 characters (RFC 1035, section 2.3.4). */
const labelAtMost = "(?=[^.:]{1,63}(?:[.:]|$))";

/**
 * Reads a pattern of origins: `https://app.example.com`, `https://*.app.example.com` with any one
 * label, or `https://*--shop.netlify.app` with any start of the first label.
 *
 * @returns the pattern, or why it cannot be used, going on from the name of a setting
 */
export function readOriginPattern(text: string): OriginPattern | { readonly fault: string } {
  const url = URL.parse(text);
  if (url === null || !isBare(url, text)) {
    return {
      fault: "must be an origin such as https://*.app.example.com, without path and user info",
    };
  }
  const fault = faultOf(url);
  if (fault !== null) return { fault };
  const { origin } = url;
  if (!origin.includes("*")) return (other) => other === origin;
  const [before = "", after = ""] = origin.split("*");
  const form = new RegExp(`^${escape(before)}${labelAtMost}${star}${escape(after)}$`);
  return (other) => form.test(other);
}

/** Whether an address is an origin, with nothing that a browser would drop or change. */
function isBare(
  { protocol, username, password, pathname, search, hash, hostname }: URL,
  text: string,
): boolean {
  const isWeb = protocol === "https:" || protocol === "http:";
  const others = [username, password, search, hash, pathname.replace(/^\/$/, "")];
  // oxlint-disable-next-line no-control-regex -- these very characters are looked for
  const isPlain = !/[\u0000-\u0020\\@?#%]/.test(text);
  const isName = hostname !== "" && !hostname.endsWith(".");
  return isWeb && isPlain && isName && others.every((part) => part === "");
}

function faultOf({ protocol, hostname }: URL): string | null {
  const [first = "", ...rest] = hostname.split(".");
  const suffix = rest.join(".");
  if (protocol === "http:" && !isLoopbackName(hostname)) return "must be https beyond this machine";
  if (!hostname.includes("*")) return null;
  if (!/^\*[^*]*$/.test(first) || suffix.includes("*") || suffix === "") {
    return "may have one star, which is or begins the first label";
  }
  if (/^[\d.]+$/.test(suffix)) return "may have no star in an IP address";
  if (!isPublicSuffix(suffix) || isLoopbackName(suffix)) return null;
  // On such a host `*--shop` names one app, if the host keeps its names apart; `*shop` never does.
  if (isHostingSuffix(suffix) && /^\*-+[a-z0-9]/.test(first)) return null;
  return `has a star directly above ${suffix}, below which anyone can get a name`;
}

function isLoopbackName(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

function escape(text: string): string {
  return text.replaceAll(/[.[\]]/g, String.raw`\$&`);
}
