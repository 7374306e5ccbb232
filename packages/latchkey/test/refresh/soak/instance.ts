/**
 * An instance of an app in its own process. Its only page requests an access token; messages move
 * its clock.
 */
import { type AccessTokenError, createAuth } from "latchkey";
import { openStore, protect } from "latchkey/node";
import { createServer } from "node:http";
import { flushCompileCache } from "node:module";
import type { AddressInfo } from "node:net";

/** The argument of the process. */
export interface InstanceSettings {
  readonly port: number;
  readonly baseURL: string;
  readonly issuer: string;
  readonly clientID: string;
  readonly clientSecret: string;
  /** Address of the store. */
  readonly store: string;
  /** Milliseconds for each call to the provider; defaults to the engine's limit. */
  readonly httpTimeout?: number;
}

const given = JSON.parse(process.argv[2] ?? "{}") as InstanceSettings;
let offsetMs = 0;
const clock = () => Date.now() + offsetMs;

const auth = createAuth({
  baseURL: given.baseURL,
  issuerBaseURL: given.issuer,
  clientID: given.clientID,
  clientSecret: given.clientSecret,
  secret: "a-secret-of-the-soak-run-0123456789abcdef",
  // The provider's clock is not moved, and its ID tokens are soon too old for ours.
  clockTolerance: 100_000_000,
  store: await openStore(given.store),
  httpTimeout: given.httpTimeout,
  clock,
  log(event) {
    if (event.event === "refresh" || event.event === "lease-lost") process.send?.(event);
  },
});

const server = createServer(
  protect(auth, async (request, response) => {
    const answer = await request.auth.accessToken().catch((error: AccessTokenError) => error.code);
    response.end(answer);
  }),
).listen(given.port, "localhost", () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
  // It is killed, so it writes nothing at its end.
  flushCompileCache();
});

process.on("disconnect", () => process.exit());
process.on("message", (advanceMs: number) => {
  offsetMs += advanceMs;
  process.send?.({ advancedTo: offsetMs });
});
