/** An app whose sessions live in a SQLite file, as a process of its own; it tells every event of its store and sign-outs. */
import { createServer } from "node:http";

import { createAuth } from "latchkey";
import { protect } from "latchkey/node";

import { sqliteStore } from "../../src/stores/sqlite.ts";

/** What the process is told as its argument. */
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
