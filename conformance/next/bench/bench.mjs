/**
 * Measures the cost of a proxy for a signed-in request of a page, over an empty proxy: Latchkey,
 * nextjs-auth0 4 and AuthKit, each called as Next calls it, in turn, in one process. `npm run
 * bench` in this folder.
 */
import { createServer } from "node:http";
import { registerHooks } from "node:module";

// Bundlers find `next/headers`; Node wants the file.
registerHooks({
  resolve: (name, context, next) => {
    if (name === "server-only") return { url: "data:text/javascript,", shortCircuit: true };
    return next(/^next\/[a-z]+$/.test(name) ? `${name}.js` : name, context);
  },
});

const rounds = 40;
const callsARound = 100;
const origin = "http://localhost:3000";
const issuer = "http://localhost:4000";
const secret = "a-secret-of-the-benchmark-which-is-long-enough-0123456789";
const user = { sub: "person-ada", name: "Ada Okafor", email: "ada@example.com" };
const now = Math.floor(Date.now() / 1000);

const jose = await import("jose");
const { privateKey, publicKey } = await jose.generateKeyPair("RS256", { extractable: true });
const jwks = {
  keys: [{ ...(await jose.exportJWK(publicKey)), kid: "1", alg: "RS256", use: "sig" }],
};
const keys = createServer((_request, response) => {
  response.setHeader("Content-Type", "application/json").end(JSON.stringify(jwks));
}).listen(0);
const accessToken = await new jose.SignJWT({
  ...user,
  sid: "session_1",
  permissions: ["read", "write"],
})
  .setProtectedHeader({ alg: "RS256", kid: "1" })
  .setIssuedAt()
  .setExpirationTime("2h")
  .sign(privateKey);

Object.assign(process.env, {
  NODE_ENV: "production",
  LATCHKEY_BASE_URL: origin,
  LATCHKEY_ISSUER_BASE_URL: issuer,
  LATCHKEY_CLIENT_ID: "client",
  LATCHKEY_CLIENT_SECRET: "client-secret",
  LATCHKEY_SECRET: secret,
  LATCHKEY_PRODUCTION: "false",
  WORKOS_API_KEY: "sk_test",
  WORKOS_CLIENT_ID: "client",
  WORKOS_COOKIE_PASSWORD: secret,
  WORKOS_API_HOSTNAME: "localhost",
  WORKOS_API_PORT: String(keys.address().port),
  WORKOS_API_HTTPS: "false",
  NEXT_PUBLIC_WORKOS_REDIRECT_URI: `${origin}/callback`,
});

const { NextRequest, NextResponse } = await import("next/server.js");

async function latchkeyProxy() {
  const { latchkey } = await import("latchkey/next");
  const { signedInCookies } = await import("latchkey/testing");
  const options = {
    issuerBaseURL: issuer,
    clientID: "client",
    clientSecret: "client-secret",
    secret,
    baseURL: origin,
  };
  const session = { user, accessToken, idToken: accessToken, accessTokenExpiresAt: now + 7200 };
  const cookie = await signedInCookies({ options, session });
  const log = () => undefined;
  return { proxy: latchkey({ log }).proxy, cookie };
}

async function auth0Proxy() {
  const { Auth0Client } = await import("@auth0/nextjs-auth0/server");
  const { generateSessionCookie } = await import("@auth0/nextjs-auth0/testing");
  const client = new Auth0Client({
    domain: "example.auth0.com",
    clientId: "client",
    clientSecret: "client-secret",
    appBaseUrl: origin,
    secret,
  });
  const tokenSet = { accessToken, idToken: accessToken, expiresAt: now + 7200 };
  const internal = { sid: "session_1", createdAt: now };
  const value = await generateSessionCookie({ user, tokenSet, internal }, { secret });
  return { proxy: (request) => client.middleware(request), cookie: `__session=${value}` };
}

async function authkitProxy() {
  const { authkitMiddleware } = await import("@workos-inc/authkit-nextjs");
  const { sealData } = await import("iron-session");
  const session = { accessToken, refreshToken: "refresh", user: { ...user, id: user.sub } };
  const value = await sealData(session, { password: secret });
  const proxy = authkitMiddleware({ middlewareAuth: { enabled: true, unauthenticatedPaths: [] } });
  return { proxy: (request) => proxy(request, {}), cookie: `wos-session=${value}` };
}

const variants = {
  nothing: { proxy: () => NextResponse.next(), cookie: `appSession=${"x".repeat(1500)}` },
  latchkey: await latchkeyProxy(),
  "nextjs-auth0 4": await auth0Proxy(),
  AuthKit: await authkitProxy(),
};

function newRequest(cookie) {
  const headers = {
    cookie,
    accept: "text/html",
    "sec-fetch-dest": "document",
    "sec-fetch-mode": "navigate",
  };
  return new NextRequest(`${origin}/private`, { headers });
}

async function round({ proxy, cookie }) {
  const start = performance.now();
  for (let call = 0; call < callsARound; call += 1) await proxy(newRequest(cookie));
  return ((performance.now() - start) / callsARound) * 1000;
}

for (const [name, variant] of Object.entries(variants)) {
  const response = await variant.proxy(newRequest(variant.cookie));
  if (response.headers.get("x-middleware-next") !== "1") {
    throw new Error(`${name} does not let the request pass: ${response.status}`);
  }
}

const times = Object.fromEntries(Object.keys(variants).map((name) => [name, []]));
for (let count = 0; count < rounds; count += 1) {
  for (const [name, variant] of Object.entries(variants)) times[name].push(await round(variant));
}
const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
const floor = median(times["nothing"]);
const added = (name) => median(times[name].slice(rounds / 4)) - floor;
console.log(`a proxy that does nothing: ${floor.toFixed(0)} µs a request`);
for (const name of Object.keys(variants).slice(1)) {
  const ratio = added(name) / added("latchkey");
  console.log(`${name} adds ${added(name).toFixed(0)} µs (${ratio.toFixed(1)} times Latchkey's)`);
}
keys.close();
process.exit(0);
