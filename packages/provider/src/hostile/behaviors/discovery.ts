import type { Members } from "../behavior.ts";
import { json } from "../faults.ts";
import type { Entry } from "./entry.ts";
import { addSuffix, entry, text, without } from "./entry.ts";

type Change = (metadata: Members) => Members;

function unusable(says: string, change: Change): Entry {
  return entry("login-fails", says, { metadata: change });
}

const missing = (name: string): Entry => unusable(`names no ${name}`, (own) => without(own, name));

const pushed = { pushed: true } as const;

function pushedResponse(says: string, change: (body: Members) => Members): Entry {
  const sentence = `responds to a pushed request ${says}`;
  return entry("login-fails", sentence, { pushedResponse: change }, pushed);
}

function pushedStatus(status: number): Entry {
  const response = json({ error: "invalid_request" }, status);
  const behavior = { faults: { pushed: { kind: "replace", response } } } as const;
  return entry("login-fails", `responds to a pushed request with ${status}`, behavior, pushed);
}

/** Moves every endpoint to another path of the same host. */
const moved: Change = (metadata) =>
  Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => {
      const isEndpoint = name.endsWith("_endpoint") || name === "jwks_uri";
      return [name, isEndpoint ? text(value).replace(/\/([^/]+)$/u, "/moved/$1") : value];
    }),
  );

const movedKeys: Change = (metadata) => ({
  ...metadata,
  jwks_uri: text(metadata["jwks_uri"]).replace(/\/([^/]+)$/u, "/moved/$1"),
});

/** Metadata, key sets and pushed requests. */
export const discovery = {
  "CERT-013": entry("accept", "advertises none, odd orders and unknown members", {
    metadata: (metadata) => ({
      ...metadata,
      id_token_signing_alg_values_supported: ["none", "RS256", "ES256"],
      response_types_supported: ["token id_token", "id_token code", "code", "none"],
      "urn:example:unknown": { nested: [1, 2, 3] },
      claims_supported: ["sub", null],
    }),
  }),
  "CERT-060": entry("accept", "has its endpoints elsewhere", { metadata: moved, movedAway: true }),
  "CERT-061": entry("accept", "has its keys elsewhere", { metadata: movedKeys, movedAway: true }),
  "CERT-062": unusable("has the metadata of another issuer", (own) => ({
    ...own,
    issuer: "https://issuer-b.example",
  })),
  "FAPI-003": unusable("appends a character to issuer", (own) => addSuffix(own, "issuer")),
  "STD-029/trailing-slash": unusable("has a slash after issuer", (own) =>
    addSuffix(own, "issuer", "/"),
  ),
  "STD-029/case": unusable("has issuer in capitals", (own) => ({
    ...own,
    issuer: text(own["issuer"]).toUpperCase(),
  })),
  "STD-029/missing": missing("issuer"),
  "STD-030/no-authorization_endpoint": missing("authorization_endpoint"),
  "STD-030/no-token_endpoint": missing("token_endpoint"),
  "STD-030/no-jwks_uri": missing("jwks_uri"),
  "STD-030/javascript": unusable("has a script as authorization endpoint", (own) => ({
    ...own,
    authorization_endpoint: "javascript:alert(1)",
  })),
  "STD-030/data": unusable("has a data address as authorization endpoint", (own) => ({
    ...own,
    authorization_endpoint: "data:text/html,<h1>Sign in</h1>",
  })),
  "STD-030/file": unusable("has a file as key set", (own) => ({
    ...own,
    jwks_uri: "file:///etc/passwd",
  })),
  "STD-030/private-host": unusable("has a token endpoint at a private host", (own) => ({
    ...own,
    token_endpoint: "http://169.254.169.254/token",
  })),
  "STD-068": entry("accept", "accepts a pushed request", {}, pushed),
  "STD-069/200": entry(
    "login-fails",
    "responds to a pushed request with 200",
    { faults: { pushed: { kind: "mangle", mangle: (good) => ({ ...good, status: 200 }) } } },
    pushed,
  ),
  "STD-069/no-request_uri": pushedResponse("without request_uri", (own) =>
    without(own, "request_uri"),
  ),
  "STD-069/no-expires_in": pushedResponse("without expires_in", (own) =>
    without(own, "expires_in"),
  ),
  "STD-069/zero": pushedResponse("with expires_in 0", (own) => ({ ...own, expires_in: 0 })),
  "STD-069/huge": pushedResponse("with expires_in 1e300", (own) => ({ ...own, expires_in: 1e300 })),
  "STD-070/400": pushedStatus(400),
  "STD-070/401": pushedStatus(401),
  "STD-070/413": pushedStatus(413),
  "STD-070/429": pushedStatus(429),
  "STD-072": entry("accept", "accepts pushed requests only", {
    metadata: (metadata) => ({ ...metadata, require_pushed_authorization_requests: true }),
    requiresPushedRequests: true,
  }),
  "REL-F10": entry("either", "responds 500 to a request for its keys", {
    faults: { keys: { kind: "replace", response: json({ error: "server_error" }, 500) } },
  }),
  "REL-F11": entry("accept", "moves its endpoints while the old ones still work", {
    metadata: moved,
  }),
  "PROVIDERS/no-end-session": entry("signed-out", "has no end_session_endpoint", {
    metadata: (metadata) => without(metadata, "end_session_endpoint"),
  }),
  "PROVIDERS/few-members": entry("accept", "names only what it must", {
    metadata: (metadata) =>
      without(
        metadata,
        "code_challenge_methods_supported",
        "response_types_supported",
        "response_modes_supported",
        "id_token_signing_alg_values_supported",
        "token_endpoint_auth_methods_supported",
        "grant_types_supported",
        "authorization_response_iss_parameter_supported",
      ),
  }),
  "PROVIDERS/redirect-to-slash": entry(
    "accept",
    "redirects the metadata address to one with a slash",
    {
      faults: {
        metadata: (nth) =>
          nth % 2 === 1
            ? {
                kind: "replace",
                response: { status: 301, headers: { Location: "openid-configuration/" }, body: "" },
              }
            : undefined,
      },
    },
  ),
} satisfies Readonly<Record<string, Entry>>;
