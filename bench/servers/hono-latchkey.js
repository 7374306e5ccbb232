/** Hono with Latchkey, as its README mounts it. */
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { latchkey } from "latchkey/hono";
import { authFromEnvironment } from "latchkey/node";
import { onListening, port } from "./listening.js";

const app = new Hono();
app.use(latchkey(authFromEnvironment()));
app.get("/", (c) => c.text("Home"));
app.get("/api/sample", (c) => c.json({ sub: c.var.auth.user?.sub }));
serve({ fetch: app.fetch, hostname: "localhost", port }, onListening);
