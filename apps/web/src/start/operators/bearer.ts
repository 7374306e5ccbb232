import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** Whether a request carries a token (RFC 6750, 2.1), in constant time. */
export function bears({ authorization = "" }: IncomingHttpHeaders, token: string): boolean {
  const digestOf = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digestOf(authorization), digestOf(`Bearer ${token}`));
}
