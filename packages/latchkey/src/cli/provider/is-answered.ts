import { createConnection } from "node:net";

/** Returns whether a program on this machine accepts connections at a URL. */
export function isAnswered(url: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(url);
  const socket = createConnection({
    host: hostname.replaceAll(/[[\]]/g, ""),
    port: Number(port || (protocol === "https:" ? 443 : 80)),
  });
  return new Promise<boolean>((resolve) => {
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
  }).finally(() => socket.destroy());
}
