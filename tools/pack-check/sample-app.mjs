// What a user of the package writes: sign-in in front of a plain Node server.
import { createServer } from "node:http";
import { authFromEnvironment, protect } from "latchkey/node";

const auth = authFromEnvironment();
await auth.ready();

const server = createServer(
  protect(auth, (request, response) => {
    response.end(`Hello ${request.auth.user?.name}`);
  }),
);
server.listen(Number(process.env["PORT"]), "localhost", () => process.send?.({ ready: true }));
