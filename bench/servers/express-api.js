/** Express with `latchkey/api`, as its guide mounts it. */
import express from "express";
import { api } from "latchkey/api";
import { latchkey } from "latchkey/express";
import { authFromEnvironment } from "latchkey/node";
import { algorithm, audience } from "./api-settings.js";
import { onListening, port } from "./listening.js";

const auth = authFromEnvironment(process.env, { api: api({ audience, algorithms: [algorithm] }) });
const app = express();
app.use(latchkey(auth));
app.get("/api/sample", (request, response) => {
  response.json({ sub: request.auth.require().claims.sub });
});
app.listen(port, "localhost", onListening);
