/** A fetch handler without sign-in, served by @hono/node-server. */
import { serve } from "@hono/node-server";
import { onListening, port } from "./listening.js";

const fetch = () => Response.json({ sub: "person-bench" });
serve({ fetch, hostname: "localhost", port }, onListening);
