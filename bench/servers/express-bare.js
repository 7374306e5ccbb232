/** Express without sign-in. */
import express from "express";
import { onListening, port } from "./listening.js";

const app = express();
app.get("/api/sample", (_request, response) => {
  response.json({ sub: "person-bench" });
});
app.listen(port, "localhost", onListening);
