/** Serves another site: for browsers, 127.0.0.1 is another site than localhost. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface OtherSite {
  readonly url: string;
  /** Sets the HTML of its page. */
  show(body: string): void;
  close(): Promise<void>;
}

export async function openOtherSite(): Promise<OtherSite> {
  let shown = "";
  const server = createServer((_request, response) => {
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" });
    response.end(`<!doctype html><title>Elsewhere</title>${shown}`);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    show: (body) => void (shown = body),
    async close() {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}
