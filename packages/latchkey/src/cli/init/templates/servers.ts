/** The servers that `init` writes into an empty project. The guides show the same ones. */

export const expressServer = `import express from "express";
import { latchkey } from "latchkey/express";
import { authFromEnvironment } from "latchkey/node";

const auth = authFromEnvironment();
await auth.ready();

const app = express();
app.use(latchkey(auth));
app.get("/hello", (req, res) => {
  const { user } = req.auth.require();
  res.type("text").send(\`Hello \${user.name ?? user.sub}\`);
});
app.listen(3000);
`;

export const honoServer = `import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { latchkey } from "latchkey/hono";
import { authFromEnvironment } from "latchkey/node";

const auth = authFromEnvironment();
await auth.ready();

const app = new Hono().use(latchkey(auth)).get("/hello", (c) => {
  const { user } = c.var.auth.require();
  return c.text(\`Hello \${user.name ?? user.sub}\`);
});
serve({ fetch: app.fetch, port: 3000 });
`;

export const fastifyServer = `import fastify from "fastify";
import { latchkey } from "latchkey/fastify";
import { authFromEnvironment } from "latchkey/node";

const auth = authFromEnvironment();
await auth.ready();

const app = fastify();
app.register(latchkey(auth));
app.get("/hello", async (request) => {
  const { user } = request.auth.require();
  return \`Hello \${user.name ?? user.sub}\`;
});
await app.listen({ port: 3000 });
`;

export const koaServer = `import Koa from "koa";
import { latchkey } from "latchkey/koa";
import { authFromEnvironment } from "latchkey/node";

const auth = authFromEnvironment();
await auth.ready();

const app = new Koa();
app.use(latchkey(auth));
app.use((ctx) => {
  const { user } = ctx.state.auth.require();
  ctx.body = \`Hello \${user.name ?? user.sub}\`;
});
app.listen(3000);
`;

export const h3Server = `import { H3, serve } from "h3";
import { latchkey } from "latchkey/h3";
import { authFromEnvironment } from "latchkey/node";

const auth = authFromEnvironment();
await auth.ready();

const app = new H3();
app.use(latchkey(auth));
app.get("/hello", (event) => {
  const { user } = event.context.auth.require();
  return \`Hello \${user.name ?? user.sub}\`;
});
serve(app, { port: 3000 });
`;

export const nodeServer = `import { createServer } from "node:http";
import { authFromEnvironment, protect } from "latchkey/node";

const auth = authFromEnvironment();
await auth.ready();

createServer(
  protect(auth, (request, response) => {
    response.setHeader("Content-Type", "text/plain; charset=utf-8");
    const { user } = request.auth.require();
    response.end(\`Hello \${user.name ?? user.sub}\`);
  }),
).listen(3000);
`;

export const expressBehindVite = `import express from "express";
import { latchkey } from "latchkey/express";
import { authFromEnvironment } from "latchkey/node";

const auth = authFromEnvironment();
await auth.ready();

const app = express();
app.use(latchkey(auth));
app.get("/api/orders", (req, res) => {
  res.json({ of: req.auth.require().user.sub, orders: [] });
});
app.use(express.static("dist"));
// The addresses that the app itself shows, such as /orders.
app.get(/^\\/(?!api\\/|_auth\\/)/, (_req, res) => res.sendFile("index.html", { root: "dist" }));
app.listen(3000);
`;

export const honoBehindVite = `import { serve } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { latchkey } from "latchkey/hono";
import { authFromEnvironment } from "latchkey/node";

const auth = authFromEnvironment();
await auth.ready();

const app = new Hono().use(latchkey(auth));
app.get("/api/orders", (c) => c.json({ of: c.var.auth.require().user.sub, orders: [] }));
app.get("/api/*", (c) => c.notFound());
app.use(serveStatic({ root: "dist" }));
// The addresses that the app itself shows, such as /orders.
app.get("*", serveStatic({ path: "dist/index.html" }));
serve({ fetch: app.fetch, port: 3000 });
`;
