/** A fetch handler with Latchkey, as its README mounts it, served by @hono/node-server. */
import { serve } from "@hono/node-server";
import { authFromEnvironment } from "latchkey/node";
import { onListening, port } from "./listening.js";

const auth = authFromEnvironment();
const respond = (request) => Response.json({ sub: auth.of(request).user?.sub });
const fetch = (request) => auth.respond(request, respond);
serve({ fetch, hostname: "localhost", port }, onListening);
