import { createServer } from "node:http";
import { authFromEnvironment, protect } from "latchkey/node";

const auth = authFromEnvironment(process.env, { publicPaths: ["/"] });
await auth.ready();

createServer(
  protect(auth, (request, response) => {
    if (request.url === "/private") {
      const { user } = request.auth.require();
      response.setHeader("Content-Type", "text/plain; charset=utf-8");
      response.end(`Hello ${user.name ?? user.sub}`);
      return;
    }
    const signOut = request.auth.user === null ? "" : ' <a href="/api/auth/logout">Sign out</a>';
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    response.end(`<a href="/private">Private page</a>${signOut}`);
  }),
).listen(3000);
