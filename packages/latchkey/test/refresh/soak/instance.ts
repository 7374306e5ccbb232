/** An instance of an app, as a process of its own. Its only page asks for an access token; its clock is moved by messages. */
import { type AccessTokenError, createAuth } from "latchkey";
import { openStore, protect } from "latchkey/node";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What the process is told as its argument. */
export interface InstanceSettings {
  readonly port: number;
  readonly baseURL: string;
  readonly issuer: string;
  readonly clientID: string;
  readonly clientSecret: string;
  readonly isStateful: boolean;
  /** Address of the store. */
  readonly store: string;
  /** Milliseconds for each call to the provider; by default that of the engine. */
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
  session: { stateful: given.isStateful },
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
});

process.on("disconnect", () => process.exit());
process.on("message", (advanceMs: number) => {
  offsetMs += advanceMs;
  process.send?.({ advancedTo: offsetMs });
});
