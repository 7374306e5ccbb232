/**
 * An app with sessions in a SQLite file, in its own process. It reports every event of its store
 * and each sign-out.
 */
import { createServer } from "node:http";

import { createAuth } from "latchkey";
import { protect } from "latchkey/node";

import { sqliteStore } from "../../src/stores/sqlite.ts";

/** The argument of the process. */
export interface FullDiskSettings {
  readonly port: number;
  readonly file: string;
  readonly issuer: string;
  readonly clientID: string;
  readonly clientSecret: string;
}

const { port, file, issuer, clientID, clientSecret } = JSON.parse(
  process.argv[2] ?? "{}",
) as FullDiskSettings;

const auth = createAuth({
  baseURL: `http://localhost:${port}`,
  issuerBaseURL: issuer,
  clientID,
  clientSecret,
  secret: "a-secret-of-the-full-disk-0123456789abcdef",
  session: { stateful: true },
  store: sqliteStore(file),
  log(event) {
    if (/^(?:store|sign-out)/.test(event.event)) process.send?.({ ...event, error: undefined });
  },
});

createServer(
  protect(auth, (request, response) => {
    response.end(JSON.stringify(request.auth.session?.times));
  }),
).listen(port, "localhost", () => process.send?.({ event: "ready" }));

process.on("disconnect", () => process.exit());
