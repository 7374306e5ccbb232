import { connect } from "node:net";

/** Bytes as they are, and everything that comes back until the connection is closed. */
export function rawBytes(origin: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes, "latin1"));
    let text = "";
    socket.setEncoding("latin1");
    socket.setTimeout(1000, () => socket.end());
    socket.on("data", (chunk: string) => (text += chunk));
    socket.on("error", reject);
    socket.on("close", () => resolve(text));
  });
}
