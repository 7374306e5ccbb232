/** Express with express-oauth2-jwt-bearer, as its README mounts it. */
import express from "express";
import { auth } from "express-oauth2-jwt-bearer";
import { algorithm, audience, issuer } from "./api-settings.js";
import { onListening, port } from "./listening.js";

const app = express();
app.use(auth({ issuerBaseURL: issuer, audience, tokenSigningAlg: algorithm, strict: true }));
app.get("/api/sample", (request, response) => {
  response.json({ sub: request.auth?.payload.sub });
});
app.listen(port, "localhost", onListening);
