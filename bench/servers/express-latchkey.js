/** Express with Latchkey, as its README mounts it. */
import express from "express";
import { latchkey } from "latchkey/express";
import { authFromEnvironment } from "latchkey/node";
import { onListening, port } from "./listening.js";

const app = express();
app.use(latchkey(authFromEnvironment()));
app.get("/", (_request, response) => {
  response.send("Home");
});
app.get("/api/sample", (request, response) => {
  response.json({ sub: request.auth.user?.sub });
});
app.listen(port, "localhost", onListening);
