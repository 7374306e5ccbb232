/** node:http with `latchkey/api`, as its guide mounts it. */
import { api } from "latchkey/api";
import { authFromEnvironment, protect } from "latchkey/node";
import { createServer } from "node:http";
import { algorithm, audience } from "./api-settings.js";
import { onListening, port } from "./listening.js";

const auth = authFromEnvironment(process.env, { api: api({ audience, algorithms: [algorithm] }) });
createServer(
  protect(auth, (request, response) => {
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ sub: request.auth.require().claims.sub }));
  }),
).listen(port, "localhost", onListening);
