/** A TLS proxy in front of an application with plain HTTP. */
import { once } from "node:events";
import { connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { createServer } from "node:tls";
import type { Certificate } from "@latchkey/provider";

export interface HTTPSFront {
  readonly url: string;
  close(): Promise<void>;
}

/** @param targetPort - port of the application on localhost */
export async function openHTTPSFront(
  { key, cert }: Certificate,
  targetPort: number,
): Promise<HTTPSFront> {
  const sockets = new Set<Socket>();
  const server = createServer({ key, cert }, (outside) => {
    const inside = connect(targetPort, "localhost");
    for (const socket of [outside, inside]) {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
      socket.on("error", () => {
        outside.destroy();
        inside.destroy();
      });
    }
    outside.pipe(inside).pipe(outside);
  });
  server.on("tlsClientError", () => {});
  await once(server.listen(0, "localhost"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://localhost:${port}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      await once(server.close(), "close");
    },
  };
}
