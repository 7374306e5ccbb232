import fastify from "fastify";
import { latchkey } from "latchkey/fastify";
import { authFromEnvironment } from "latchkey/node";

const auth = authFromEnvironment(process.env, { publicPaths: ["/"] });
await auth.ready();

const app = fastify();
app.register(latchkey(auth));
app.get("/", async (request, reply) => {
  const signOut = request.auth.user === null ? "" : ' <a href="/api/auth/logout">Sign out</a>';
  reply.type("text/html");
  return `<a href="/private">Private page</a>${signOut}`;
});
app.get("/private", async (request) => {
  const { user } = request.auth.require();
  return `Hello ${user.name ?? user.sub}`;
});
await app.listen({ port: 3000 });
