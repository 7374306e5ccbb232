/** @hono/oidc-auth: claims and tokens in a cookie that is signed (HS256), not encrypted, and not renewed by a visit. */
import { serve } from "@hono/node-server";
import { getAuth, initOidcAuthMiddleware, oidcAuthMiddleware } from "@hono/oidc-auth";
import { processOAuthCallback } from "@hono/oidc-auth";
import { Hono } from "hono";
import { samplePage } from "./sample-page.js";

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
app.use(async (context, next) => {
  context.set("oidcClaimsHook", sessionOf);
  await next();
});

/** The same claims and tokens as in the other sessions. */
async function sessionOf(_earlier, claims, tokens) {
  return {
    user: claims,
    idToken: tokens.id_token,
    accessToken: tokens.access_token,
    accessTokenScope: tokens.scope,
  };
}

app.get("/callback", (context) => processOAuthCallback(context));
app.get("/sample", oidcAuthMiddleware(), async (context) => {
  const session = await getAuth(context);
  return context.html(samplePage(session?.["user"].sub));
});
app.get("/api/sample", async (context) => {
  const session = await getAuth(context);
  return session === null
    ? context.json({ error: "not_authenticated" }, 401)
    : context.json({ sub: session["user"].sub });
});
app.get("/api/me", async (context) => {
  const session = await getAuth(context);
  return session === null ? context.body(null, 204) : context.json(session["user"]);
});
app.get("/", (context) => context.html(samplePage("anyone")));

serve(
  {
    fetch: app.fetch,
    hostname: "localhost",
    port: Number(env["PORT"]),
    serverOptions: { maxHeaderSize: 64 * 1024 },
  },
  () => process.send?.({ ready: true }),
);
