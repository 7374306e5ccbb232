import { request } from "node:http";
import { connect } from "node:net";

export interface RawAnswer {
  readonly status: number;
  readonly location: string;
  readonly text: string;
}

/** A request whose path is sent character by character, as no browser would. */
export function rawRequest(origin: string, method: string, path: string): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const sending = request({ hostname, port, method, path, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (text += chunk));
      response.on("end", () => {
        const { statusCode = 0, headers } = response;
        resolve({ status: statusCode, location: headers.location ?? "", text });
      });
    });
    sending.on("error", reject);
    sending.end();
  });
}

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
