/** Hono without sign-in. */
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { onListening, port } from "./listening.js";

const app = new Hono();
app.get("/api/sample", (c) => c.json({ sub: "person-bench" }));
serve({ fetch: app.fetch, hostname: "localhost", port }, onListening);
