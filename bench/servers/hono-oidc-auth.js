/** Hono with @hono/oidc-auth from its README: a signed cookie, neither encrypted nor renewed. */
import { serve } from "@hono/node-server";
import {
  getAuth,
  initOidcAuthMiddleware,
  oidcAuthMiddleware,
  processOAuthCallback,
} from "@hono/oidc-auth";
import { Hono } from "hono";
import { onListening, port } from "./listening.js";

const { env } = process;
const app = new Hono();
app.use(
  initOidcAuthMiddleware({
    OIDC_AUTH_SECRET: env["LATCHKEY_SECRET"],
    OIDC_ISSUER: env["LATCHKEY_ISSUER_BASE_URL"],
    OIDC_CLIENT_ID: env["LATCHKEY_CLIENT_ID"],
    OIDC_CLIENT_SECRET: env["LATCHKEY_CLIENT_SECRET"],
    OIDC_REDIRECT_URI: "/callback",
    OIDC_SCOPES: "openid profile email",
    OIDC_AUTH_REFRESH_INTERVAL: "86400",
  }),
);
app.use(async (c, next) => {
  c.set("oidcClaimsHook", sessionOf);
  await next();
});

/** The claims and tokens of the other sessions. */
async function sessionOf(_earlier, claims, tokens) {
  return {
    user: claims,
    idToken: tokens.id_token,
    accessToken: tokens.access_token,
    accessTokenScope: tokens.scope,
  };
}

app.get("/callback", (c) => processOAuthCallback(c));
app.use(oidcAuthMiddleware());
app.get("/", (c) => c.text("Home"));
app.get("/api/sample", async (c) => c.json({ sub: (await getAuth(c))?.["user"].sub }));
serve({ fetch: app.fetch, hostname: "localhost", port }, onListening);
