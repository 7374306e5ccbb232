/** better-auth without a database: session and tokens in encrypted cookies, renewed when a fifth of their time is left. */
import { serve } from "@hono/node-server";
import { betterAuth } from "better-auth";
import { genericOAuth } from "better-auth/plugins";
import { samplePage } from "./sample-page.js";

const { env } = process;
const text = /** @type {const} */ ({ type: "string", required: false, input: false });

const auth = betterAuth({
  baseURL: env["LATCHKEY_BASE_URL"],
  secret: env["LATCHKEY_SECRET"],
  telemetry: { enabled: false },
  rateLimit: { enabled: false },
  logger: { level: "error" },
  session: { cookieCache: { enabled: true, strategy: "jwe", refreshCache: true, maxAge: 604_800 } },
  account: { storeAccountCookie: true },
  user: { additionalFields: { orgName: text, locale: text, roles: text } },
  plugins: [
    genericOAuth({
      config: [
        {
          providerId: "bench",
          clientId: env["LATCHKEY_CLIENT_ID"] ?? "",
          clientSecret: env["LATCHKEY_CLIENT_SECRET"] ?? "",
          authentication: "basic",
          discoveryUrl: `${env["LATCHKEY_ISSUER_BASE_URL"]}/.well-known/openid-configuration`,
          scopes: ["openid", "profile", "email"],
          mapProfileToUser: (profile) => ({
            orgName: profile["org_name"],
            locale: profile["locale"],
            roles: JSON.stringify(profile["roles"]),
          }),
        },
      ],
    }),
  ],
});

/** @param {Request} request */
async function answer(request) {
  const { pathname } = new URL(request.url);
  if (pathname.startsWith("/api/auth/")) return auth.handler(request);
  if (pathname === "/login") return login(request);
  if (pathname === "/") return page("anyone");
  const { headers, response: session } = await auth.api.getSession({
    headers: request.headers,
    returnHeaders: true,
  });
  const found = guarded(pathname, session);
  for (const line of headers?.getSetCookie() ?? []) found.headers.append("Set-Cookie", line);
  return found;
}

/**
 * @param {string} pathname
 * @param {{ user: { id: string } } | null} session
 */
function guarded(pathname, session) {
  if (pathname === "/api/sample") {
    return session === null
      ? Response.json({ error: "not_authenticated" }, { status: 401 })
      : Response.json({ sub: session.user.id });
  }
  return session === null
    ? new Response(null, { status: 302, headers: { Location: "/login" } })
    : page(session.user.id);
}

/** @param {string} sub */
function page(sub) {
  return new Response(samplePage(sub), { headers: { "Content-Type": "text/html; charset=utf-8" } });
}

/**
 * Its sign-in answers with an address for a script to go to; here the server sends the browser there.
 *
 * @param {Request} request
 */
async function login(request) {
  const { headers, response } = await auth.api.signInSocial({
    body: { provider: "bench", callbackURL: "/" },
    headers: request.headers,
    returnHeaders: true,
  });
  const answered = new Headers({ Location: response.url ?? "" });
  for (const line of headers.getSetCookie()) answered.append("Set-Cookie", line);
  return new Response(null, { status: 302, headers: answered });
}

serve(
  {
    fetch: answer,
    hostname: "localhost",
    port: Number(env["PORT"]),
    serverOptions: { maxHeaderSize: 64 * 1024 },
  },
  () => process.send?.({ ready: true }),
);
