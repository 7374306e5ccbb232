import { createHash, randomBytes } from "node:crypto";

import { ambient } from "../../../ambient.ts";
import type { Config } from "../../../config/config.ts";
import { siteAt } from "../../../config/site.ts";
import { Refusal } from "../../../errors/refusal.ts";
import { landingURL } from "../../../config/addresses.ts";
import { checkMetadata, metadataAddress } from "../../../oidc/issuer/metadata.ts";
import { createMemberReader } from "../../../oidc/issuer/provider-document.ts";
import { isPushed, redirectURI, withQuery } from "../../../oidc/authorization-request.ts";
import { inForce } from "../../../crypto/in-force.ts";
import { authenticateClient } from "../../../oidc/client-authentication.ts";
import type { Log } from "../../../telemetry/log-event.ts";
import type { AskedRelay } from "../app/ask-relay.ts";
import { ask, type Answer, type Fetch, isResponse, locationOf, objectOf } from "../ask.ts";
import { withoutTrailingSlash } from "../../../http/trailing-slash.ts";

type Parameters = Readonly<Record<string, string>>;
type Metadata = Readonly<Record<string, unknown>>;

export interface ProviderAnswers {
  readonly config: Config;
  readonly discovery: Answer;
  readonly metadata: Metadata | null;
  /** Why the engine does not use the metadata; `null` if it does. */
  readonly refusal: string | null;
  /** What the engine says of optional members that it cannot use. */
  readonly unusable: readonly string[];
  /** The metadata at other spellings of the issuer, if the first one failed. */
  readonly elsewhere: Answer | null;
  /** The same place over the other scheme, on loopback only. */
  readonly otherScheme: Answer | null;
  /** Other names of this machine, if the one of the issuer does not answer. */
  readonly neighbors: readonly Answer[];
  /** What the token endpoint sends to a request without a client. */
  readonly tokenHead: Answer | null;
  readonly keys: Answer | null;
  /** The keys once more, on new connections. */
  readonly keysAgain: readonly Answer[];
  /** The metadata once more, on new connections. */
  readonly again: readonly Answer[];
  /**
   * The authorization request of this app with `prompt=none`, or the push of it. `null` if it would
   * leave a trace.
   */
  readonly authorization: Answer | null;
  readonly state: string;
  /** By which the responses return; `null` if they come to the app itself. */
  readonly relay: AskedRelay | null;
  /** The same request with the redirect URIs of further hosts. */
  readonly otherHosts: readonly AskedRedirect[];
  /** The request to the end-session endpoint. */
  readonly endSession: Answer | null;
  /** An invented code at the token endpoint, only with `--probe`. */
  readonly token: Answer | null;
}

/** An authorization request with the redirect URI of one host. */
export interface AskedRedirect {
  readonly redirectURI: string;
  readonly answer: Answer;
}

/** What is known before the provider is called. */
export interface AskOptions {
  readonly isProbe: boolean;
  readonly relay: AskedRelay | null;
}

/** The redirect URI that the provider has to know for the first host. */
export function registeredURI({
  config,
  relay,
}: Pick<ProviderAnswers, "config" | "relay">): string {
  return relay?.redirectURI ?? redirectURI(config);
}

/**
 * Requests from the provider what sign-in will request. Signs no user in. Only `isProbe` sends what
 * leaves a trace there.
 */
export async function askProvider(
  config: Config,
  { isProbe, relay }: AskOptions,
  fetch: Fetch,
): Promise<ProviderAnswers> {
  const place = metadataAddress(config);
  const discovery = await askMetadata(place, fetch);
  const metadata = objectOf(discovery);
  const state = randomBytes(16).toString("base64url");
  const none = { elsewhere: null, otherScheme: null, neighbors: [], ...noDocuments };
  const noAnswers = { authorization: null, endSession: null, token: null, tokenHead: null };
  const noProbes = { ...noAnswers, state, relay, otherHosts: [] };
  const { usable, refusal, unusable } = check(metadata, config);
  const first = { config, discovery, metadata, refusal, unusable };
  if (discovery.kind === "fault") {
    const otherScheme = await askOtherScheme(place, fetch);
    const neighbors = await askNeighbors(place, fetch);
    return { ...first, ...none, ...noProbes, otherScheme, neighbors };
  }
  if (metadata === null) {
    const isElsewhere = config.metadataURL !== undefined;
    const elsewhere = isElsewhere ? null : await askElsewhere(config.issuerBaseURL, fetch);
    return { ...first, ...none, ...noProbes, elsewhere };
  }
  const anew = { headers: { Connection: "close" } };
  const twice = (address: string) => Promise.all([1, 2].map(() => ask(fetch, address, anew)));
  const keysAt = addressIn(usable ?? metadata, "jwks_uri");
  const keys = keysAt === null ? null : await ask(fetch, keysAt);
  // Another issuer, or an endpoint that is no usable address, gets no request of this client.
  const probes =
    usable === null ? noProbes : await askAsApp(config, usable, { state, isProbe, relay }, fetch);
  // Last, so that a limit for the rate of requests is met by these.
  const [keysAgain, again] = await Promise.all([
    keysAt === null ? [] : twice(keysAt),
    twice(discovery.url),
  ]);
  return { ...first, ...none, keys, keysAgain, again, ...probes };
}

const noDocuments = { keys: null, keysAgain: [], again: [] };

/** What sign-in and sign-out would send, as far as it leaves no trace or is a probe. */
async function askAsApp(
  config: Config,
  metadata: Metadata,
  { state, isProbe, relay }: AskOptions & { readonly state: string },
  fetch: Fetch,
) {
  const at = (name: string) => addressIn(metadata, name);
  const tokenAt = config.responseType.includes("code") ? at("token_endpoint") : null;
  const redirect = registeredURI({ config, relay });
  const parameters = { ...authorizationParameters(config, state), redirect_uri: redirect };
  const asksOthers = relay === null && isTraceless(config, metadata);
  const [authorization, endSession, token, tokenHead, otherHosts] = await Promise.all([
    isTraceless(config, metadata)
      ? askAuthorization(at("authorization_endpoint"), parameters, fetch)
      : isProbe
        ? askTraced(config, metadata, parameters, fetch)
        : null,
    askEndSession(config, at("end_session_endpoint"), fetch),
    isProbe ? askToken(config, metadata, { redirect, fetch }) : null,
    tokenAt === null ? null : ask(fetch, tokenAt, { method: "HEAD" }),
    asksOthers ? askOtherHosts(config, at("authorization_endpoint"), parameters, fetch) : [],
  ]);
  return { state, relay, authorization, endSession, token, tokenHead, otherHosts };
}

interface Checked {
  /** What the engine would use; `null` if it refuses the metadata. */
  readonly usable: Metadata | null;
  readonly refusal: string | null;
  readonly unusable: readonly string[];
}

/** As the engine judges them, before it sends anything to an endpoint. */
function check(metadata: Metadata | null, config: Config): Checked {
  const unusable: string[] = [];
  const log: Log = (event) => void (event.event === "warning" && unusable.push(event.message));
  if (metadata === null) return { usable: null, refusal: null, unusable };
  try {
    const usable = checkMetadata(metadata, config, createMemberReader(log));
    return { usable: { ...usable }, refusal: null, unusable };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { usable: null, refusal: error.detail ?? error.reason, unusable };
  }
}

function addressIn(metadata: Metadata, name: string): string | null {
  const address = metadata[name];
  return typeof address === "string" && URL.canParse(address) ? address : null;
}

/** Some providers redirect to the same place with a slash: followed once, within one origin. */
async function askMetadata(place: string, fetch: Fetch): Promise<Answer> {
  const answer = await ask(fetch, place);
  const to = isResponse(answer) ? locationOf(answer) : null;
  return to?.origin === new URL(place).origin ? ask(fetch, to.href) : answer;
}

/**
 * Whether an authorization request leaves nothing behind. Pushed ones are stored and authenticate
 * the client, and authentik fills an empty list of addresses with the first one it sees.
 */
function isTraceless(config: Config, metadata: Metadata): boolean {
  return !isAuthentik(metadata) && !isPushed(config, metadata);
}

function askTraced(
  config: Config,
  metadata: Metadata,
  parameters: Parameters,
  fetch: Fetch,
): Promise<Answer> | null {
  if (!isPushed(config, metadata)) {
    return askAuthorization(addressIn(metadata, "authorization_endpoint"), parameters, fetch);
  }
  const endpoint = addressIn(metadata, "pushed_authorization_request_endpoint");
  return endpoint === null ? null : askAsClient(config, metadata, { endpoint, parameters }, fetch);
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

/** `localhost` may be 127.0.0.1, [::1] or both, and a server may listen at one of them. */
async function askNeighbors(place: string, fetch: Fetch): Promise<readonly Answer[]> {
  const { hostname } = new URL(place);
  const names = ["localhost", "127.0.0.1", "[::1]"];
  if (!names.includes(hostname)) return [];
  const others = names.filter((name) => name !== hostname);
  return Promise.all(
    others.map((name) => ask(fetch, place.replace(hostname, name), { method: "HEAD" })),
  );
}

/** The issuer with and without its final slash, and without a suffix. */
async function askElsewhere(issuer: string, fetch: Fetch): Promise<Answer | null> {
  const { origin, pathname } = new URL(issuer);
  const parent = pathname.replace(/\/[^/]*\/?$/, "");
  for (const path of new Set([parent, ""])) {
    if (path === withoutTrailingSlash(pathname)) continue;
    const answer = await ask(fetch, `${origin}${path}/.well-known/openid-configuration`);
    if (objectOf(answer)?.["issuer"] !== undefined) return answer;
  }
  return null;
}

/** As sign-in sends them, without a refresh token, which no one would use. */
function authorizationParameters(config: Config, state: string): Parameters {
  const verifier = randomBytes(32).toString("base64url");
  return {
    ...config.authorizationParams,
    client_id: config.clientID,
    response_type: config.responseType,
    ...(config.responseMode === "form_post" ? { response_mode: "form_post" } : {}),
    scope: config.scope.replace(/\boffline_access\b/, "").trim(),
    state,
    nonce: randomBytes(16).toString("base64url"),
    prompt: "none",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  };
}

function askAuthorization(
  endpoint: string | null,
  parameters: Parameters,
  fetch: Fetch,
): Promise<Answer> | null {
  return endpoint === null ? null : ask(fetch, withQuery(endpoint, parameters));
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

/** How many further hosts are checked. */
const otherHostsAtMost = 5;

/** What stands for many hosts is left out: each of them has a redirect URI of its own. */
async function askOtherHosts(
  { baseURLs, routes }: Config,
  endpoint: string | null,
  parameters: Parameters,
  fetch: Fetch,
): Promise<readonly AskedRedirect[]> {
  const others = baseURLs.slice(1).filter((each) => !each.includes("*"));
  const asked = others.slice(0, otherHostsAtMost).map(async (each) => {
    const { baseURL } = siteAt(each, { isPrimary: false });
    const redirect_uri = redirectURI({ baseURL, routes });
    const answer = await askAuthorization(endpoint, { ...parameters, redirect_uri }, fetch);
    return answer === null ? [] : [{ redirectURI: redirect_uri, answer }];
  });
  return (await Promise.all(asked)).flat();
}

function askToken(
  config: Config,
  metadata: Metadata,
  { redirect, fetch }: { readonly redirect: string; readonly fetch: Fetch },
): Promise<Answer> | null {
  const endpoint = addressIn(metadata, "token_endpoint");
  const isUsed = config.responseType.includes("code");
  if (endpoint === null || !isUsed) return null;
  const parameters = {
    grant_type: "authorization_code",
    code: "invented-by-latchkey-doctor",
    redirect_uri: redirect,
    code_verifier: "x".repeat(43),
  };
  return askAsClient(config, metadata, { endpoint, parameters }, fetch);
}

/** Posts a form as sign-in does, with the authentication of the client. */
async function askAsClient(
  config: Config,
  metadata: Metadata,
  { endpoint, parameters }: { readonly endpoint: string; readonly parameters: Parameters },
  fetch: Fetch,
): Promise<Answer> {
  // The doctor has not checked the members that authentication reads.
  const server = metadata as never;
  const client = { ...config, credentials: inForce(config), clock: ambient.clock };
  try {
    const proof = await authenticateClient(client, server);
    const headers = { accept: "application/json", ...proof.headers };
    const body = new URLSearchParams({ ...parameters, ...proof.members });
    return await ask(fetch, endpoint, { method: "POST", headers, body });
  } catch (error) {
    const message = error instanceof Refusal ? (error.detail ?? "") : String(error);
    return { kind: "fault", url: endpoint, code: "", message };
  }
}
