import { createHash, randomBytes } from "node:crypto";
import type { JWK } from "jose";
import type { BrowserRequest, HostileProvider, Needs } from "../src/hostile/index.ts";
import type { ClientKey } from "./client-credentials.ts";
import { clientCredentials } from "./client-credentials.ts";
import type { Claims, Expected, ExpectedIDToken } from "./judge-token.ts";
import { judgeIDToken, judgeUserinfoToken } from "./judge-token.ts";
import type { Reading } from "./read-response.ts";
import { readResponse } from "./read-response.ts";

// A relying party that checks everything and continues after a fault as far as it can, so that a
// test sees which faults a behavior has, and at which stage.

export type Stage = "login" | "callback" | "userinfo" | "refresh";

/** What a sign-in showed. */
export interface Report {
  readonly faults: readonly { readonly stage: Stage; readonly says: string }[];
  /** All responses of the provider, for comparison with a good sign-in. */
  readonly trace: Readonly<Record<string, unknown>>;
}

export interface SignInOptions extends Needs {
  readonly alg: string;
  readonly authMethod: string;
  readonly clientKey: ClientKey;
  /** The timeout of a call to an endpoint, in milliseconds. */
  readonly timeoutMs: (endpoint: string) => number;
}

const redirectURI = "http://localhost:9/callback";

export async function signInStrictly(
  provider: HostileProvider,
  options: SignInOptions,
): Promise<Report> {
  const run: Run = {
    ...options,
    provider,
    faults: [],
    trace: {},
    nonce: randomBytes(16).toString("base64url"),
    state: randomBytes(16).toString("base64url"),
    verifier: randomBytes(32).toString("base64url"),
  };
  try {
    await signIn(run);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  }
  return { faults: run.faults, trace: run.trace };
}

/** Thrown after a fault if the next step is impossible. */
class Stopped extends Error {}

/** The state of one sign-in. */
interface Run extends SignInOptions {
  readonly provider: HostileProvider;
  readonly faults: { stage: Stage; says: string }[];
  readonly trace: Record<string, unknown>;
  readonly nonce: string;
  readonly state: string;
  readonly verifier: string;
}

async function signIn(run: Run): Promise<void> {
  const metadata = await readMetadata(run);
  const visit = await run.provider.visit(await authorizationURL(run, metadata));
  if (visit === null) return stop(run, "callback", "the browser is sent nowhere");
  const response = checkResponse(run, visit, metadata);
  const front = response.get("id_token");
  const code = response.get("code") ?? undefined;
  const earlier =
    front === null ? undefined : await checkIDToken(run, metadata, front, "callback", { code });
  if (code === undefined || responseType(run) === "id_token") return;
  const tokens = await exchange(run, metadata, code, earlier);
  await readUserinfo(run, metadata, tokens.accessToken, tokens.claims);
  await refresh(run, metadata, tokens.refreshToken, tokens.claims);
}

function responseType(run: Run): string {
  return run.responseType ?? "code";
}

function wantsForm(run: Run): boolean {
  const mode = run.responseMode ?? (responseType(run) === "code" ? "query" : "form_post");
  return mode === "form_post";
}

function check(run: Run, good: boolean, stage: Stage, says: string): void {
  if (!good) run.faults.push({ stage, says });
}

function stop(run: Run, stage: Stage, says: string): never {
  run.faults.push({ stage, says });
  throw new Stopped(says);
}

async function callProvider(
  run: Run,
  stage: Stage,
  endpoint: string,
  url: string,
  init: RequestInit = {},
  status = 200,
): Promise<Claims> {
  const timeoutMs = run.timeoutMs(endpoint);
  const reading: Reading = await readResponse(url, init, status, timeoutMs);
  run.trace[endpoint] = [reading.members ?? reading.fault, reading.manner];
  if (reading.members === undefined) return stop(run, stage, `${endpoint}: ${reading.fault}`);
  return reading.members;
}

async function readMetadata(run: Run): Promise<Claims> {
  const { issuer } = run.provider;
  const url = `${issuer.replace(/\/$/u, "")}/.well-known/openid-configuration`;
  const metadata = await callProvider(run, "login", "metadata", url);
  check(run, metadata["issuer"] === issuer, "login", "issuer");
  for (const name of ["authorization_endpoint", "token_endpoint", "jwks_uri"]) {
    const address = URL.parse(text(metadata[name]));
    const good = address?.origin === new URL(issuer).origin;
    if (!good) stop(run, "login", name);
  }
  if (run.faults.length > 0) stop(run, "login", "metadata");
  return metadata;
}

async function authorizationURL(run: Run, metadata: Claims): Promise<string> {
  const request = new URLSearchParams({
    client_id: run.provider.client.id,
    redirect_uri: redirectURI,
    response_type: responseType(run),
    scope: "openid profile email",
    state: run.state,
    nonce: run.nonce,
    code_challenge: createHash("sha256").update(run.verifier).digest("base64url"),
    code_challenge_method: "S256",
    ...(wantsForm(run) ? { response_mode: "form_post" } : {}),
    ...(run.maxAge === undefined ? {} : { max_age: String(run.maxAge) }),
  });
  const url = new URL(text(metadata["authorization_endpoint"]));
  const mustPush = metadata["require_pushed_authorization_requests"] === true;
  url.search = (mustPush || run.pushed ? await push(run, metadata, request) : request).toString();
  return url.href;
}

async function push(
  run: Run,
  metadata: Claims,
  request: URLSearchParams,
): Promise<URLSearchParams> {
  const endpoint = text(metadata["pushed_authorization_request_endpoint"]);
  const init = await authenticated(run, request);
  const pushed = await callProvider(run, "login", "pushed", endpoint, init, 201);
  const { request_uri: uri, expires_in: seconds } = pushed;
  if (typeof uri !== "string" || uri === "") return stop(run, "login", "request_uri");
  const lives = typeof seconds === "number" && seconds > 0 && seconds <= 3600;
  if (!lives) return stop(run, "login", "expires_in of the pushed request");
  return new URLSearchParams({ client_id: run.provider.client.id, request_uri: uri });
}

async function authenticated(run: Run, form: URLSearchParams): Promise<RequestInit> {
  const { client, issuer } = run.provider;
  const { authMethod, clientKey } = run;
  const credentials = await clientCredentials(authMethod, client, issuer, clientKey);
  const body = new URLSearchParams([...form, ...credentials.form]);
  return { method: "POST", headers: credentials.headers, body };
}

function checkResponse(run: Run, visit: BrowserRequest, metadata: Claims): URLSearchParams {
  const query = new URL(visit.url).searchParams;
  const response = visit.method === "POST" ? visit.form : query;
  run.trace["response"] = [visit.method, ...response.keys()];
  const require = (good: boolean, says: string) => check(run, good, "callback", says);
  require((visit.method === "POST") === wantsForm(run), "response mode");
  require(visit.method === "GET" || query.size === 0, "a query beside the form");
  for (const name of ["code", "state", "iss", "id_token", "error"]) {
    require(response.getAll(name).length <= 1, `several ${name}`);
  }
  require(response.get("state") === run.state, "state");
  require(!response.has("error"), "error");
  const promised = metadata["authorization_response_iss_parameter_supported"] === true;
  const iss = response.get("iss");
  require(iss === null ? !promised : iss === run.provider.issuer, "iss");
  for (const name of responseType(run).split(" ")) {
    require(Boolean(response.get(name)), `no ${name}`);
  }
  return response;
}

async function checkIDToken(
  run: Run,
  metadata: Claims,
  token: string,
  stage: Stage,
  also: Pick<ExpectedIDToken, "code" | "accessToken" | "earlier">,
): Promise<Claims> {
  const verdict = judgeIDToken(token, {
    ...(await expectedOf(run, metadata)),
    nonce: stage === "refresh" ? undefined : run.nonce,
    maxAge: stage === "refresh" ? undefined : run.maxAge,
    ...also,
  });
  run.trace[`ID token at ${stage}`] = [verdict.header, verdict.claims];
  for (const fault of verdict.faults) check(run, false, stage, `ID token: ${fault}`);
  return verdict.claims;
}

async function expectedOf(run: Run, metadata: Claims): Promise<Expected> {
  const { issuer, client } = run.provider;
  const { id: clientID, secret } = client;
  const keys = await readKeys(run, metadata);
  return {
    issuer,
    clientID,
    secret,
    alg: run.alg,
    keys,
    nowSeconds: Math.floor(Date.now() / 1000),
  };
}

async function readKeys(run: Run, metadata: Claims): Promise<readonly JWK[]> {
  const { keys } = await callProvider(run, "callback", "keys", text(metadata["jwks_uri"]));
  if (!isList(keys)) return stop(run, "callback", "keys");
  const size = JSON.stringify(keys).length;
  check(run, size <= 262_144 && keys.length <= 100, "callback", "the key set is too large");
  return keys.filter(isJWK);
}

async function exchange(
  run: Run,
  metadata: Claims,
  code: string,
  earlier: Claims | undefined,
): Promise<{ accessToken: string; refreshToken: unknown; claims: Claims }> {
  const form = new URLSearchParams({
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectURI,
    code_verifier: run.verifier,
  });
  const init = await authenticated(run, form);
  const url = text(metadata["token_endpoint"]);
  const tokens = await callProvider(run, "callback", "token", url, init);
  const accessToken = readAccessToken(run, "callback", tokens);
  const idToken = tokens["id_token"];
  if (typeof idToken !== "string") return stop(run, "callback", "no ID token");
  const claims = await checkIDToken(run, metadata, idToken, "callback", { accessToken, earlier });
  return { accessToken, refreshToken: tokens["refresh_token"], claims };
}

function readAccessToken(run: Run, stage: Stage, tokens: Claims): string {
  const { access_token: accessToken, token_type: type } = tokens;
  check(run, text(type).toLowerCase() === "bearer", stage, "token_type");
  if (typeof accessToken === "string" && accessToken !== "") return accessToken;
  return stop(run, stage, "no access token");
}

async function readUserinfo(
  run: Run,
  metadata: Claims,
  accessToken: string,
  own: Claims,
): Promise<void> {
  try {
    const init = { headers: { Authorization: `Bearer ${accessToken}` } };
    const url = text(metadata["userinfo_endpoint"]);
    const reading = await readResponse(url, init, 200, run.timeoutMs("userinfo"));
    run.trace["userinfo came"] = reading.manner;
    const claims = await userinfoClaims(run, metadata, reading);
    run.trace["userinfo"] = claims;
    check(run, claims["sub"] === own["sub"], "userinfo", "sub");
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  }
}

async function userinfoClaims(run: Run, metadata: Claims, reading: Reading): Promise<Claims> {
  if (reading.token === undefined) {
    return reading.members ?? stop(run, "userinfo", reading.fault ?? "");
  }
  run.trace["userinfo is signed"] = true;
  const verdict = judgeUserinfoToken(reading.token, await expectedOf(run, metadata));
  for (const fault of verdict.faults) check(run, false, "userinfo", fault);
  return verdict.claims;
}

async function refresh(
  run: Run,
  metadata: Claims,
  refreshToken: unknown,
  earlier: Claims,
): Promise<void> {
  if (typeof refreshToken !== "string" || run.faults.some(({ stage }) => stage === "callback")) {
    return;
  }
  const form = new URLSearchParams({ grant_type: "refresh_token", refresh_token: refreshToken });
  const init = await authenticated(run, form);
  const tokens = await callProvider(
    run,
    "refresh",
    "refresh",
    text(metadata["token_endpoint"]),
    init,
  );
  const accessToken = readAccessToken(run, "refresh", tokens);
  const idToken = tokens["id_token"];
  if (typeof idToken !== "string") return;
  await checkIDToken(run, metadata, idToken, "refresh", { accessToken, earlier });
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function isJWK(value: unknown): value is JWK {
  return typeof value === "object" && value !== null && "kty" in value;
}
