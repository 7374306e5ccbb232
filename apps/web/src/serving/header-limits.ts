import type { IncomingMessage } from "node:http";

/** Which part of a request's head is larger than the server accepts. */
export type OversizedPart = "address" | "cookies" | "headers";

const addressBytesAtMost = 32 * 1024;
/** A session of many cookies must never lock its user out: this is four times Node's default. */
const cookieBytesAtMost = 64 * 1024;
const otherHeaderBytesAtMost = 32 * 1024;

/**
 * For the parser: well above the sum of our limits, so that `oversizedPart` judges nearly every
 * oversized request. The parser does not report which part is too large.
 */
export const parsedHeaderBytesAtMost = 256 * 1024;

/** The first part that is too large, or `undefined` if all are within their limits. */
export function oversizedPart({
  url = "",
  rawHeaders,
}: Pick<IncomingMessage, "url" | "rawHeaders">): OversizedPart | undefined {
  if (url.length > addressBytesAtMost) return "address";
  const allBytes = rawHeaders.reduce((sum, text) => sum + text.length, 0);
  if (allBytes <= otherHeaderBytesAtMost) return undefined;
  let [cookieBytes, otherBytes] = [0, 0];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = "", value = ""] = rawHeaders.slice(index, index + 2);
    if (name.toLowerCase() === "cookie") cookieBytes += value.length;
    else otherBytes += name.length + value.length;
  }
  if (cookieBytes > cookieBytesAtMost) return "cookies";
  return otherBytes > otherHeaderBytesAtMost ? "headers" : undefined;
}
