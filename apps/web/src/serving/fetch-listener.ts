import type { IncomingMessage } from "node:http";

import { getRequestListener, type HttpBindings, RequestError } from "@hono/node-server";

import type { NodeListener } from "./compress-pages.ts";

/** Responds to one Web request, and knows the request of Node that it was made from. */
export type FetchHandler = (
  request: Request,
  bindings: HttpBindings,
) => Response | Promise<Response>;

/**
 * A fetch handler as a listener for Node. It throws what the handler throws, so that whatever stands in front can
 * respond to it; a request that cannot be read is answered with 400.
 */
export function fetchListener(handler: FetchHandler): NodeListener {
  const thrown = new WeakMap<IncomingMessage, unknown>();
  const listener = getRequestListener(
    async (request, bindings) => {
      // The server speaks HTTP/1.1 only.
      const { incoming, outgoing } = bindings as HttpBindings;
      try {
        return await handler(request, { incoming, outgoing });
      } catch (error) {
        thrown.set(incoming, error);
        throw error;
      }
    },
    // Without a response the host writes none.
    {
      errorHandler: (error) =>
        error instanceof RequestError ? new Response(null, { status: 400 }) : undefined,
    },
  );
  return async (incoming, outgoing) => {
    // HTTP/1.0 knows no Host, and checks of balancers speak it; an address cannot be made without one.
    if (incoming.httpVersion === "1.0") incoming.headers.host ??= "localhost";
    await listener(incoming, outgoing);
    if (thrown.has(incoming)) throw thrown.get(incoming);
  };
}
