import { createHash, randomBytes } from "node:crypto";

import type { Config } from "../../../config/config.ts";
import { landingURL } from "../../../request/addresses.ts";
import { redirectURI } from "../../../oidc/authorization-request.ts";
import { ask, type Answer, type Fetch, objectOf } from "../ask.ts";

type Metadata = Readonly<Record<string, unknown>>;

/** What the provider answered. */
export interface ProviderAnswers {
  readonly config: Config;
  readonly discovery: Answer;
  readonly metadata: Metadata | null;
  /** The metadata at other spellings of the issuer, if the first one failed. */
  readonly elsewhere: Answer | null;
  /** The same place over the other scheme, on loopback only. */
  readonly otherScheme: Answer | null;
  readonly keys: Answer | null;
  /** The metadata once more, on new connections. */
  readonly again: readonly Answer[];
  /** The authorization request of this app with `prompt=none`. */
  readonly authorization: Answer | null;
  readonly state: string;
  /** The request to the end-session endpoint. */
  readonly endSession: Answer | null;
  /** An invented code at the token endpoint, only with `--probe`. */
  readonly token: Answer | null;
}

/**
 * Asks the provider what sign-in will ask it. Signs no user in. Only `isProbe` sends what leaves a
 * trace there.
 */
export async function askProvider(
  config: Config,
  fetch: Fetch,
  isProbe: boolean,
): Promise<ProviderAnswers> {
  const place = `${config.issuerBaseURL.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const discovery = await ask(fetch, place);
  const metadata = objectOf(discovery);
  const state = randomBytes(16).toString("base64url");
  const none = { elsewhere: null, otherScheme: null, keys: null, again: [] };
  const noProbes = { authorization: null, state, endSession: null, token: null };
  if (discovery.kind === "fault") {
    const otherScheme = await askOtherScheme(place, fetch);
    return { config, discovery, metadata, ...none, ...noProbes, otherScheme };
  }
  if (metadata === null) {
    const elsewhere = await askElsewhere(config.issuerBaseURL, fetch);
    return { config, discovery, metadata, ...none, ...noProbes, elsewhere };
  }
  const to = (name: string): string | null => {
    const address = metadata[name];
    return typeof address === "string" && URL.canParse(address) ? address : null;
  };
  const keysAt = to("jwks_uri");
  const [keys, again, authorization, endSession, token] = await Promise.all([
    keysAt === null ? null : ask(fetch, keysAt),
    Promise.all([1, 2].map(() => ask(fetch, place, { headers: { Connection: "close" } }))),
    // An empty list of addresses is filled by the first request there.
    isAuthentik(metadata) && !isProbe
      ? null
      : askAuthorization(config, to("authorization_endpoint"), state, fetch),
    askEndSession(config, to("end_session_endpoint"), fetch),
    isProbe ? askToken(config, to("token_endpoint"), fetch) : null,
  ]);
  return {
    config,
    discovery,
    metadata,
    elsewhere: null,
    otherScheme: null,
    keys,
    again,
    authorization,
    state,
    endSession,
    token,
  };
}

function isAuthentik(metadata: Metadata): boolean {
  return String(metadata["issuer"]).includes("/application/o/");
}

/** On loopback, TLS and plain HTTP are often confused. */
async function askOtherScheme(place: string, fetch: Fetch): Promise<Answer | null> {
  const url = new URL(place);
  if (!["localhost", "127.0.0.1", "[::1]"].includes(url.hostname)) return null;
  const other = place.startsWith("https:")
    ? place.replace("https:", "http:")
    : place.replace("http:", "https:");
  return ask(fetch, other, { method: "HEAD" });
}

/** The issuer with and without its final slash, and without a suffix. */
async function askElsewhere(issuer: string, fetch: Fetch): Promise<Answer | null> {
  const { origin, pathname } = new URL(issuer);
  const parent = pathname.replace(/\/[^/]*\/?$/, "");
  for (const path of new Set([parent, ""])) {
    if (path === pathname.replace(/\/$/, "")) continue;
    const answer = await ask(fetch, `${origin}${path}/.well-known/openid-configuration`);
    if (objectOf(answer)?.["issuer"] !== undefined) return answer;
  }
  return null;
}

function askAuthorization(
  config: Config,
  endpoint: string | null,
  state: string,
  fetch: Fetch,
): Promise<Answer> | null {
  if (endpoint === null) return null;
  const verifier = randomBytes(32).toString("base64url");
  const url = new URL(endpoint);
  const parameters = {
    client_id: config.clientID,
    redirect_uri: redirectURI(config),
    response_type: config.responseType,
    ...(config.responseMode === "form_post" ? { response_mode: "form_post" } : {}),
    scope: "openid",
    state,
    nonce: randomBytes(16).toString("base64url"),
    prompt: "none",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return ask(fetch, url.href);
}

function askEndSession(
  config: Config,
  endpoint: string | null,
  fetch: Fetch,
): Promise<Answer> | null {
  if (endpoint === null || !config.idpLogout) return null;
  const url = new URL(endpoint);
  url.searchParams.set("client_id", config.clientID);
  url.searchParams.set("post_logout_redirect_uri", landingURL(config));
  return ask(fetch, url.href);
}

function askToken(config: Config, endpoint: string | null, fetch: Fetch): Promise<Answer> | null {
  const { clientID, clientSecret, clientAuthMethod = "client_secret_basic" } = config;
  if (endpoint === null || clientSecret === undefined) return null;
  const form = new URLSearchParams({
    grant_type: "authorization_code",
    code: "invented-by-latchkey-doctor",
    redirect_uri: redirectURI(config),
    code_verifier: "x".repeat(43),
  });
  const headers = new Headers({ accept: "application/json" });
  if (clientAuthMethod === "client_secret_basic") {
    const pair = [clientID, clientSecret].map(encodeURIComponent).join(":");
    headers.set("authorization", `Basic ${btoa(pair)}`);
  } else if (clientAuthMethod === "client_secret_post") {
    form.set("client_id", clientID);
    form.set("client_secret", clientSecret);
  } else {
    return null;
  }
  return ask(fetch, endpoint, { method: "POST", headers, body: form });
}
