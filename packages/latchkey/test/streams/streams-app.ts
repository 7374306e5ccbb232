/**
 * An app as a process of its own, that lets pages listen for the end of their session, and tells how much memory it uses.
 * With the word `bare` it is a server of Node that only leaves its responses open.
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
