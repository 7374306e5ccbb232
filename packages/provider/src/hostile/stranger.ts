import type { LoopbackServer } from "../http/loopback-server.ts";
import { startLoopbackServer } from "../http/loopback-server.ts";
import type { SeenRequest } from "./request-log.ts";
import { readRequest } from "./request-log.ts";

/** Starts a server that logs every request and responds with 404. */
export function startStranger(requests: SeenRequest[]): Promise<LoopbackServer> {
  return startLoopbackServer((message, response) => {
    readRequest(message, () => undefined)
      .then((seen) => requests.push(seen))
      .finally(() => response.writeHead(404).end())
      .catch(() => response.destroy());
  });
}
