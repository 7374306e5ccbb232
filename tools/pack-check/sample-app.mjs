// What a user of the package writes: sign-in in front of a plain Node server.
import { createServer } from "node:http";
import { authFromEnvironment, requestOf, signIn } from "latchkey/node";

const auth = authFromEnvironment();
await auth.ready();
const protect = signIn(auth);

const server = createServer((request, response) => {
  protect(request, response, () => void greet(request, response));
});
server.listen(Number(process.env["PORT"]), "localhost", () => process.send?.({ ready: true }));

/**
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response
 */
async function greet(request, response) {
  const { session } = await auth.visit(requestOf(auth, request));
  response.end(`Hello ${session?.user.name}`);
}
