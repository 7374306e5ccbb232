import { getRequestListener } from "@hono/node-server";
import { createServer, type RequestListener, type ServerOptions } from "node:http";
import type { AddressInfo } from "node:net";

/** A server on loopback. It gets its handler later, since sign-in needs its address first. */
export interface Server {
  readonly origin: string;
  serve(listener: RequestListener): void;
  close(): Promise<void>;
}

export async function startServer(options: ServerOptions = {}, on = 0): Promise<Server> {
  let listener: RequestListener = (_request, response) => void response.writeHead(503).end();
  // A client may reuse a connection just when the server closes it.
  const limits = { keepAliveTimeout: 75_000, ...options };
  const server = createServer(limits, (request, response) => listener(request, response));
  await new Promise<void>((resolve) => server.listen(on, "localhost", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://localhost:${port}`,
    serve: (next) => void (listener = next),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** What `serve({ fetch })` of @hono/node-server listens with. */
export function listenerOf(fetch: (request: Request) => Response | Promise<Response>) {
  return getRequestListener(fetch, { hostname: "localhost" }) as RequestListener;
}
