/** node:http without sign-in. */
import { createServer } from "node:http";
import { onListening, port } from "./listening.js";

createServer((_request, response) => {
  response.setHeader("Content-Type", "application/json");
  response.end(JSON.stringify({ sub: "person-bench" }));
}).listen(port, "localhost", onListening);
