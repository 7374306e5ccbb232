/** node:http with Latchkey, and with connections that are looked up: each id has one. */
import { lookUp } from "latchkey/connections";
import { authFromEnvironment, protect } from "latchkey/node";
import { createServer } from "node:http";
import { onListening, port } from "./listening.js";

const issuerBaseURL = process.env["LATCHKEY_ISSUER_BASE_URL"] ?? "";
const clientSecret = process.env["LATCHKEY_CLIENT_SECRET"];

const auth = authFromEnvironment(process.env, {
  identity: "issuer+sub",
  connections: lookUp({
    atMost: 10_000,
    byID: async (id) => ({ issuerBaseURL, clientID: id, clientSecret, label: `Customer ${id}` }),
  }),
});
createServer(
  protect(auth, (request, response) => {
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ sub: request.auth.user?.sub }));
  }),
).listen(port, "localhost", onListening);
