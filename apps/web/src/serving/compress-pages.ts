import { type IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";

import { acceptsGzip } from "./accepts-gzip.ts";

/** Responds to one request of Node. */
export type NodeListener = (incoming: IncomingMessage, outgoing: ServerResponse) => unknown;

/**
 * Compresses HTML that is written in one piece, as sign-in does it, for browsers that ask for a page. Data is small,
 * and built files and the application's own pages are compressed already.
 *
 * All responses share one function in place of `end`: a function of its own would keep each response alive until the
 * next full garbage collection.
 */
export function compressPages(listener: NodeListener): NodeListener {
  return (incoming, outgoing) => {
    const { method, headers } = incoming;
    const asksForPage = headers.accept?.includes("text/html") === true && method !== "HEAD";
    if (asksForPage && acceptsGzip(headers["accept-encoding"])) outgoing.end = endCompressed;
    return listener(incoming, outgoing);
  };
}

function endCompressed(this: ServerResponse, ...written: unknown[]): ServerResponse {
  this.end = ServerResponse.prototype.end;
  const [html] = written;
  if (this.headersSent || typeof html !== "string" || !isHTML(this))
    return this.end(...(written as Parameters<ServerResponse["end"]>));
  const gzip = gzipSync(html);
  this.setHeader("Content-Encoding", "gzip");
  this.setHeader("Content-Length", gzip.length);
  this.setHeader("Vary", [this.getHeader("Vary") ?? [], "Accept-Encoding"].flat().join(", "));
  return this.end(gzip);
}

function isHTML(outgoing: ServerResponse): boolean {
  return (
    String(outgoing.getHeader("Content-Type")).startsWith("text/html") &&
    !outgoing.hasHeader("Content-Encoding")
  );
}
