import { api, type ApiOptions } from "../../src/api/index.ts";
import {
  type Auth,
  createAuth,
  type LogEvent,
  type Options,
  type RequestAuth,
} from "../../src/index.ts";
import { signedInCookies } from "../../src/testing/index.ts";
import { goodSettings } from "../settings.ts";
import { createTestIssuer, type Members, type TestIssuer } from "./issuer.ts";

export const audience = "https://api.example";
export const startSeconds = 1_800_000_000;

export interface ApiApp {
  readonly auth: Auth;
  readonly issuer: TestIssuer;
  readonly events: LogEvent[];
  /** Sets the clock of the app, in seconds after its start. */
  readonly clock: { seconds: number };
  readonly goodClaims: Members;
  /** The cookies of a signed-in browser. */
  cookie(): Promise<string>;
  token(claims?: Members, header?: Members): Promise<string>;
  /** Sends a request, and returns its response with what the handler saw. */
  call(request: ApiRequest, handler?: (here: RequestAuth) => unknown): Promise<ApiResponse>;
}

export interface ApiRequest {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as `Authorization: Bearer`. */
  readonly token?: string;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly challenge: string | null;
  readonly body: unknown;
  /** Whether the handler of the app ran. */
  readonly reached: boolean;
  /** What the handler returned. */
  readonly made: unknown;
}

export async function createApiApp(
  given: Partial<ApiOptions> = {},
  options: Partial<Options> = {},
  issuer?: TestIssuer,
): Promise<ApiApp> {
  const known = issuer ?? (await createTestIssuer());
  const events: LogEvent[] = [];
  const clock = { seconds: 0 };
  const all: Options = {
    ...goodSettings,
    idTokenSigningAlg: "ES256",
    publicPaths: ["/public/"],
    clock: () => (startSeconds + clock.seconds) * 1000,
    log: (event) => events.push(event),
    fetch: known.fetch,
    api: api({ audience, ...given }),
    ...options,
  };
  const auth = createAuth(all);
  const goodClaims = claimsAt(known.issuer);
  return {
    auth,
    issuer: known,
    events,
    clock,
    goodClaims,
    cookie: () => signedInCookies({ options: all, session: { user: { sub: "cookie-user" } } }),
    token: (claims = {}, header = {}) => known.sign({ ...goodClaims, ...claims }, header),
    call: (request, handler) => call(auth, request, handler),
  };
}

export function claimsAt(issuer: string): Members {
  return {
    iss: issuer,
    aud: audience,
    sub: "ada",
    client_id: "robot",
    scope: "read write",
    jti: "t1",
    iat: startSeconds,
    exp: startSeconds + 300,
  };
}

async function call(
  auth: Auth,
  { path = "/api/data", method = "GET", headers = {}, token }: ApiRequest,
  handler: (here: RequestAuth) => unknown = (here) => here.claims?.sub ?? null,
): Promise<ApiResponse> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const init = { method, headers: { ...authorization, ...headers } };
  let reached = false;
  let made: unknown;
  const request = new Request(auth.config.baseURL + path, init);
  const response = await auth.respond(request, async (passed) => {
    reached = true;
    made = await handler(auth.of(passed));
    return new Response("done");
  });
  const text = await response.text();
  const isJSON = response.headers.get("content-type")?.startsWith("application/json") === true;
  return {
    status: response.status,
    headers: response.headers,
    challenge: response.headers.get("www-authenticate"),
    body: isJSON ? JSON.parse(text) : text,
    reached,
    made,
  };
}

export async function statusOf(app: ApiApp, token: string): Promise<number> {
  return (await app.call({ token })).status;
}

/** Sends a token that must be refused, and returns what the log says of it. */
export async function refusalOf(
  app: ApiApp,
  claims: Members,
  header: Members = {},
): Promise<string> {
  const { status, body } = await app.call({ token: await app.token(claims, header) });
  const { error } = body as { readonly error?: unknown };
  if (status !== 401 || error !== "invalid_token") throw new Error(`it was answered ${status}`);
  const last = app.events.findLast(({ event }) => event === "refusal");
  return last !== undefined && "detail" in last ? String(last.detail) : "";
}
