import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { latchkey } from "latchkey/hono";
import { authFromEnvironment } from "latchkey/node";

const auth = authFromEnvironment(process.env, { publicPaths: ["/"] });
await auth.ready();

const app = new Hono()
  .use(latchkey(auth))
  .get("/", (c) => {
    const name = c.var.auth.user?.email ?? "stranger";
    return c.html(`Hello ${name}. <a href="/private">Private page</a>`);
  })
  .get("/private", (c) => {
    const { user } = c.var.auth.require();
    return c.html(`Hello ${user.email}. <a href="/api/auth/logout">Sign out</a>`);
  });
serve({ fetch: app.fetch, port: 3000 });
