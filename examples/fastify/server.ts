import fastify from "fastify";
import { latchkey } from "latchkey/fastify";
import { authFromEnvironment } from "latchkey/node";

const auth = authFromEnvironment(process.env, { publicPaths: ["/"] });
await auth.ready();

const app = fastify();
app.register(latchkey(auth));
app.get("/", async (request, reply) => {
  reply.type("text/html");
  return `Hello ${request.auth.user?.email ?? "stranger"}. <a href="/private">Private page</a>`;
});
app.get("/private", async (request, reply) => {
  const { user } = request.auth.require();
  reply.type("text/html");
  return `Hello ${user.email}. <a href="/api/auth/logout">Sign out</a>`;
});
await app.listen({ port: 3000 });
