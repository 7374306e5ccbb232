/**
 * An app with ready-made pages at the hosts of a star, in its own process. It reports its memory
 * use. The provider is never called.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pages } from "@latchkey/pages";
import { languages } from "@latchkey/pages/languages";
import { createAuth, type Options } from "latchkey";
import { protect } from "latchkey/node";
import { signedInCookies } from "latchkey/testing";

const options: Options = {
  baseURL: ["https://shop.example.com", "https://*.shop.example.com"],
  issuerBaseURL: "https://id.example.com",
  clientID: "shop",
  clientSecret: "a client secret",
  secret: "a-secret-of-more-than-thirty-two-characters",
  log: () => undefined,
};
const auth = createAuth({ ...options, pages: pages({ languages, name: "Shop" }) });
const server = createServer(protect(auth, (_request, response) => response.end("the app")));
await once(server.listen(0, "127.0.0.1"), "listening");

process.send?.({
  port: (server.address() as AddressInfo).port,
  cookie: await signedInCookies({ options, session: { user: { sub: "ada" } } }),
});
process.on("disconnect", () => process.exit());
