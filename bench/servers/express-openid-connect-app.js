/** Express with express-openid-connect from its README: code flow, encrypted, renewed by each request. */
import express from "express";
import openIDConnect from "express-openid-connect";
import { onListening, port } from "./listening.js";

const { env } = process;

/** @param {openIDConnect.ConfigParams} [more] */
export function startApp(more = {}) {
  const app = express();
  app.use(
    openIDConnect.auth({
      baseURL: env["LATCHKEY_BASE_URL"],
      issuerBaseURL: env["LATCHKEY_ISSUER_BASE_URL"],
      clientID: env["LATCHKEY_CLIENT_ID"],
      clientSecret: env["LATCHKEY_CLIENT_SECRET"],
      secret: env["LATCHKEY_SECRET"],
      authorizationParams: { response_type: "code", scope: "openid profile email" },
      ...more,
    }),
  );
  app.get("/", (_request, response) => {
    response.send("Home");
  });
  app.get("/api/sample", (request, response) => {
    response.json({ sub: request.oidc.user?.["sub"] });
  });
  app.listen(port, "localhost", onListening);
}
