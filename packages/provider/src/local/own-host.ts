import type { ServerResponse } from "node:http";

/**
 * Whether a request names this machine. A page whose name leads here for a moment (DNS rebinding)
 * would otherwise read answers as if they were its own.
 */
export function isOwnHost(host: string | undefined, own: string): boolean {
  if (host === undefined || host === own) return true;
  const { hostname } = URL.parse(`http://${host}`) ?? {};
  return hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
}

/** 421: the request is for another host (RFC 9110, section 15.5.20). */
export function refuseHost(response: ServerResponse): void {
  response.writeHead(421, { "Content-Type": "text/plain" }).end("This host is not served here.\n");
}
