import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Another server, which the application asks: what it sends is cacheable for everybody, and sets a cookie. */
export interface Upstream {
  readonly origin: string;
  /** Paths of the requests, in their order: the action of `/act` asks for `/acted`. */
  readonly paths: readonly string[];
  close(): Promise<void>;
}

export async function startUpstream(): Promise<Upstream> {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? "");
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
    paths,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
