/** Express with express-openid-connect and its sessions in Redis by connect-redis, as its examples mount it. */
import { RedisStore } from "connect-redis";
import express from "express";
import openIDConnect from "express-openid-connect";
import { createClient } from "redis";
import { onListening, port } from "./listening.js";

const { env } = process;
const client = createClient({ url: env["BENCH_REDIS"] });
await client.connect();
const app = express();
app.use(
  openIDConnect.auth({
    baseURL: env["LATCHKEY_BASE_URL"],
    issuerBaseURL: env["LATCHKEY_ISSUER_BASE_URL"],
    clientID: env["LATCHKEY_CLIENT_ID"],
    clientSecret: env["LATCHKEY_CLIENT_SECRET"],
    secret: env["LATCHKEY_SECRET"],
    authorizationParams: { response_type: "code", scope: "openid profile email" },
    session: { store: new RedisStore({ client }) },
  }),
);
app.get("/", (_request, response) => {
  response.send("Home");
});
app.get("/api/sample", (request, response) => {
  response.json({ sub: request.oidc.user?.["sub"] });
});
app.listen(port, "localhost", onListening);
