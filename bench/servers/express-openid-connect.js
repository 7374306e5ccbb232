/** express-openid-connect as its README sets it up, with the code flow: an encrypted cookie, rolling on each request. */
import express from "express";
import openIDConnect from "express-openid-connect";
import { createServer } from "node:http";
import { samplePage } from "./sample-page.js";

const { env } = process;
const app = express();
app.use(
  openIDConnect.auth({
    authRequired: false,
    baseURL: env["LATCHKEY_BASE_URL"],
    issuerBaseURL: env["LATCHKEY_ISSUER_BASE_URL"],
    clientID: env["LATCHKEY_CLIENT_ID"],
    clientSecret: env["LATCHKEY_CLIENT_SECRET"],
    secret: env["LATCHKEY_SECRET"],
    authorizationParams: { response_type: "code", scope: "openid profile email" },
  }),
);
const signedIn = openIDConnect.requiresAuth();
app.get("/", (_request, response) => {
  response.type("html").send(samplePage("anyone"));
});
app.get("/sample", signedIn, ({ oidc }, response) => {
  response.type("html").send(samplePage(oidc.user?.["sub"]));
});
app.get("/api/sample", signedIn, ({ oidc }, response) => {
  response.json({ sub: oidc.user?.["sub"] });
});
app.get("/api/me", signedIn, ({ oidc }, response) => {
  response.json(oidc.user);
});
app.use(
  /** @type {express.ErrorRequestHandler} */
  (error, _request, response, _next) => {
    response.status(error.statusCode ?? 500).json({ error: error.message });
  },
);

createServer({ maxHeaderSize: 64 * 1024 }, app).listen(Number(env["PORT"]), "localhost", () =>
  process.send?.({ ready: true }),
);
