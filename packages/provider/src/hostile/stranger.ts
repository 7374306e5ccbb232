import type { Server } from "node:http";
import { createServer } from "node:http";
import type { SeenRequest } from "./request-log.ts";
import { readRequest } from "./request-log.ts";

/** Starts nothing yet: a server that answers 404 to everything, and notes it. */
export function makeStranger(requests: SeenRequest[]): Server {
  return createServer((message, response) => {
    readRequest(message, () => undefined)
      .then((seen) => requests.push(seen))
      .finally(() => response.writeHead(404).end())
      .catch(() => response.destroy());
  });
}
