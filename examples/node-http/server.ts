import { createServer } from "node:http";
import { authFromEnvironment, protect } from "latchkey/node";

const auth = authFromEnvironment(process.env, { publicPaths: ["/"] });
await auth.ready();

createServer(
  protect(auth, (request, response) => {
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    if (request.url === "/private") {
      const { user } = request.auth.require();
      response.end(`Hello ${user.email}. <a href="/api/auth/logout">Sign out</a>`);
      return;
    }
    const name = request.auth.user?.email ?? "stranger";
    response.end(`Hello ${name}. <a href="/private">Private page</a>`);
  }),
).listen(3000);
