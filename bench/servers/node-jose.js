/** node:http with `jwtVerify` of jose alone: the key of a remote set, and every check it offers. */
import { createRemoteJWKSet, jwtVerify } from "jose";
import { createServer } from "node:http";
import { algorithm, audience, issuer } from "./api-settings.js";
import { onListening, port } from "./listening.js";

const keys = createRemoteJWKSet(new URL(`${issuer}/keys`));
const expected = {
  issuer,
  audience,
  algorithms: [algorithm],
  typ: "at+jwt",
  requiredClaims: ["exp", "iat", "sub", "jti", "client_id"],
};

/**
 * @param {string} token
 * @param {import("node:http").ServerResponse} response
 */
async function respond(token, response) {
  try {
    const { payload } = await jwtVerify(token, keys, expected);
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ sub: payload.sub }));
  } catch {
    response.writeHead(401).end();
  }
}

createServer((request, response) => {
  const { authorization = "" } = request.headers;
  void respond(authorization.slice("Bearer ".length), response);
}).listen(port, "localhost", onListening);
