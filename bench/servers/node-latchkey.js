/** node:http with Latchkey, as its README mounts it. */
import { authFromEnvironment, protect } from "latchkey/node";
import { createServer } from "node:http";
import { onListening, port } from "./listening.js";

const auth = authFromEnvironment();
createServer(
  protect(auth, (request, response) => {
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ sub: request.auth.user?.sub }));
  }),
).listen(port, "localhost", onListening);
