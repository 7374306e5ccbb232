/**
 * An app as a process of its own, that lets pages listen for the end of their session, and tells how much memory it uses.
 * With the word `bare` it is a server of Node that only leaves its responses open.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createAuth } from "latchkey";
import { memoryStore } from "latchkey/memory";
import { protect } from "latchkey/node";
import { signedInCookies } from "latchkey/testing";

/** What the process tells first. */
export interface StreamsApp {
  readonly origin: string;
  /** Of somebody who is signed in. */
  readonly cookie: string;
}

const server = createServer();
await once(server.listen(0, "127.0.0.1"), "listening");
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const options = {
  baseURL: origin,
  issuerBaseURL: "http://localhost:4000",
  clientID: "streams",
  clientSecret: "a-client-secret-of-many-characters",
  secret: "a-secret-of-more-than-thirty-two-characters",
  production: false,
  store: memoryStore(),
  streams: 10_000,
  log: () => undefined,
};
/** With tokens as large as those of Entra ID or Auth0 with a few claims. */
const session = {
  user: { sub: "person-ada", name: "Ada Okafor", email: "ada@example.com" },
  accessToken: "a".repeat(1200),
  idToken: "i".repeat(1000),
  refreshToken: "r".repeat(120),
};
const cookie = await signedInCookies({ options, session });
server.on(
  "request",
  process.argv[2] === "bare"
    ? (_request, response) => response.writeHead(200).write("retry: 1000\n\n")
    : protect(createAuth(options), (_request, response) => response.end("page")),
);

process.send?.({ origin, cookie } satisfies StreamsApp);
process.on("message", () => {
  globalThis.gc?.();
  process.send?.(process.memoryUsage());
});
process.on("disconnect", () => process.exit());
