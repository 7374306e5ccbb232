/**
 * An app with session streams in its own process. It reports its memory use. With the argument
 * `bare` it is a Node server with open responses only.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createAuth } from "latchkey";
import { protect } from "latchkey/node";

import { streamsOptions } from "./listener.ts";

const server = createServer();
await once(server.listen(0, "127.0.0.1"), "listening");
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
server.on(
  "request",
  process.argv[2] === "bare"
    ? (_request, response) => response.writeHead(200).write("retry: 1000\n\n")
    : protect(createAuth(streamsOptions(origin)), (_request, response) => response.end("page")),
);

process.send?.(origin);
process.on("disconnect", () => process.exit());
