import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { latchkey } from "latchkey/hono";
import { authFromEnvironment } from "latchkey/node";

const auth = authFromEnvironment(process.env, { publicPaths: ["/"] });
await auth.ready();

const app = new Hono()
  .use(latchkey(auth))
  .get("/", (c) => {
    const signOut = c.var.auth.user === null ? "" : ' <a href="/api/auth/logout">Sign out</a>';
    return c.html(`<a href="/private">Private page</a>${signOut}`);
  })
  .get("/private", (c) => {
    const { user } = c.var.auth.require();
    return c.text(`Hello ${user.name ?? user.sub}`);
  });
serve({ fetch: app.fetch, port: 3000 });
