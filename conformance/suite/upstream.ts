import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Another server for requests of the application. Its response may be cached for all users, and
 * sets a cookie.
 */
export interface Upstream {
  readonly origin: string;
  close(): Promise<void>;
}

export async function startUpstream(): Promise<Upstream> {
  const server = createServer((_request, response) => {
    response.writeHead(200, {
      "Content-Type": "text/plain",
      Connection: "close",
      "Cache-Control": "public, max-age=600",
      "Set-Cookie": "upstream=1; Path=/; Expires=Wed, 09 Jun 2027 10:18:14 GMT",
    });
    response.end("From upstream");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
