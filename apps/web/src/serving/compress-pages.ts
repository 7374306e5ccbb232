import type { IncomingMessage, ServerResponse } from "node:http";

import compression from "compression";

/** Responds to one request of Node. */
export type NodeListener = (incoming: IncomingMessage, outgoing: ServerResponse) => unknown;

const compressHTML = compression({
  filter: (_incoming, outgoing) =>
    String(outgoing.getHeader("Content-Type")).startsWith("text/html"),
});

/** Compresses HTML for browsers that ask for a page. Data is small, and built files are compressed already. */
export function compressPages(listener: NodeListener): NodeListener {
  return (incoming, outgoing) => {
    if (incoming.headers.accept?.includes("text/html") !== true)
      return listener(incoming, outgoing);
    return compressHTML(incoming, outgoing, () => void listener(incoming, outgoing));
  };
}
