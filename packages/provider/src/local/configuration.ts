import type { Client, Context, Policy, ProtocolContext } from "oidc-provider";
import { Provider, interactionPolicy } from "oidc-provider";
import { requestedACR, acrValues } from "./acr.ts";
import type { AppLink } from "./clients.ts";
import { appLink, clientMetadata } from "./clients.ts";
import { errorPage } from "./pages/error-page.ts";
import { apiFeatures } from "./api-features.ts";
import { basePathOf } from "./issuer-path.ts";
import { allowTokenExchange } from "./exchange/token-exchange.ts";
import type { Page } from "./pages/page.ts";
import { plainPage } from "./pages/plain-page.ts";
import type { User } from "./users/sample-users.ts";
import type { ClientSettings, Lifetimes, ResourceSettings } from "./settings.ts";
import type { ProtocolDeps } from "./protocol-deps.ts";
import { languages } from "./words/languages.ts";
import { speechFor } from "./words/speech-for.ts";

const twoWeeks = 14 * 24 * 60 * 60;

/** Configures oidc-provider for sample users and our own pages. */
export function createProtocol(deps: ProtocolDeps): Provider {
  const provider = new Provider(
    deps.issuer,
    configuration(deps, (context) => grant(provider, context)),
  );
  allowLocalhostForEveryFlow(provider);
  nameSessionsToFrames(provider, deps.clients);
  if (deps.clients.some(({ tokenExchange }) => tokenExchange)) allowTokenExchange(provider, deps);
  provider.use(async (context, next) => {
    await next();
    if (context.status !== 404 || context.body !== undefined) return;
    context.status = 404;
    send(
      context,
      plainPage(speechFor(context, deps.customer), "notFound", appsBehind(context, deps)),
    );
  });
  return provider;
}

function configuration(
  deps: ProtocolDeps,
  loadExistingGrant: (context: ProtocolContext) => Promise<unknown>,
): Record<string, unknown> {
  const { issuer, settings, clients, users, keys, storage } = deps;
  const scopes = ["openid", "offline_access", ...(settings.resources ?? []).flatMap(scopesOf)];
  return {
    adapter: storage.adapter,
    clients: clients.map(clientMetadata),
    jwks: keys.jwks,
    cookies: cookies(deps),
    acrValues,
    claims: {
      openid: ["sub", "org_id", "org_name"],
      email: ["email", "email_verified"],
      profile: profileClaims(users),
    },
    discovery: {
      frontchannel_logout_supported: true,
      frontchannel_logout_session_supported: true,
      ui_locales_supported: [...languages.keys()],
    },
    conformIdTokenClaims: settings.claimsIn === "userinfo",
    extraParams: ["organization"],
    features: features(deps),
    fetch: fetchOnLoopback,
    findAccount: (_context: unknown, sub: string) => findAccount(users, sub),
    interactions: {
      policy: policy(),
      url: (_context: unknown, { uid }: { uid: string }) =>
        `${basePathOf(issuer)}/interaction/${uid}`,
    },
    enabledJWA: {
      idTokenSigningAlgValues: ["RS256", "PS256", "ES256", "EdDSA", "HS256"],
      userinfoSigningAlgValues: ["RS256", "PS256", "ES256", "EdDSA", "HS256"],
    },
    issueRefreshToken: async (
      _context: unknown,
      client: { grantTypeAllowed(type: string): boolean },
    ) => client.grantTypeAllowed("refresh_token"),
    // A client that registers itself may name the scopes of APIs.
    scopes,
    extraClientMetadata: { properties: ["scope"], validator: registerAllScopes(scopes) },
    rotateRefreshToken: settings.refreshTokenRotation ?? true,
    pkce: { required: (_context: unknown, client: Client) => client.clientAuthMethod === "none" },
    clientBasedCORS: () => false,
    loadExistingGrant,
    renderError: async (context: Context, error: ErrorOut) => sendError(context, error, deps),
    ttl: lifetimes(settings.lifetimes ?? {}),
  };
}

function cookies({ issuer, keys }: ProtocolDeps): Record<string, unknown> {
  const options = { signed: true, httpOnly: true, sameSite: "lax" };
  const suffix = basePathOf(issuer).replaceAll("/", "_");
  return {
    keys: keys.cookieKeys,
    // Ports do not separate cookies: all issuers on localhost share them, and applications, too.
    names: {
      session: `provider_session${suffix}`,
      interaction: `provider_interaction${suffix}`,
      resume: `provider_resume${suffix}`,
    },
    long: options,
    short: options,
  };
}

/**
 * A client of MCP registers the scopes of its first request, and would get no others later. RFC
 * 7591, section 3.2.1, lets a server replace metadata.
 */
function registerAllScopes(known: readonly string[]) {
  return (_context: unknown, _key: string, scope: unknown, client: { scope?: string }): void => {
    const requested = typeof scope === "string" ? scope.split(" ") : [];
    const isValid = requested.every((each) => known.includes(each));
    if (requested.length > 0 && isValid) client.scope = known.join(" ");
  };
}

function scopesOf({ scopes }: ResourceSettings): readonly string[] {
  return scopes;
}

type ErrorOut = Readonly<Record<"error" | "error_description", string | undefined>>;

function sendError(context: Context, out: ErrorOut, deps: ProtocolDeps): void {
  const { error = "server_error" } = out;
  const apps = appsBehind(context, deps);
  const description = descriptionOf(context, out, deps);
  send(context, errorPage(speechFor(context, deps.customer), { error, description }, apps));
}

/** What was sent stands in the address bar; a page of ours repeats no address of a stranger. */
function descriptionOf(context: Context, out: ErrorOut, deps: ProtocolDeps): string | undefined {
  const { error, error_description: description } = out;
  if (error !== "invalid_redirect_uri") return description;
  const registered = clientsBehind(context, deps).flatMap(({ redirectURIs }) => redirectURIs);
  return `${description}: ${registered.join(", ")}. LATCHKEY_PROVIDER_APP_URL names the app that this provider is for.`;
}

/** The application of a request, or all of them if the request names no known one. */
function appsBehind(context: Context, deps: ProtocolDeps): readonly AppLink[] {
  return clientsBehind(context, deps).map((client) => appLink(client, deps.issuer));
}

function clientsBehind(
  { oidc, query }: Context,
  { clients }: ProtocolDeps,
): readonly ClientSettings[] {
  const id = oidc?.client?.clientId ?? query["client_id"];
  const named = clients.filter((client) => client.id === id);
  return named.length > 0 ? named : clients;
}

function features(deps: ProtocolDeps): Record<string, unknown> {
  return {
    ...apiFeatures(deps),
    devInteractions: { enabled: false },
    backchannelLogout: { enabled: true },
    claimsParameter: { enabled: true },
    jwtUserinfo: { enabled: true },
    pushedAuthorizationRequests: { enabled: true },
    revocation: { enabled: true, allowedPolicy: revocationByOwner },
    rpInitiatedLogout: {
      enabled: true,
      // The user never sees this form: `finish-logout.ts` submits it.
      logoutSource: async (context: ProtocolContext, form: string) => {
        context.body = form;
      },
      postLogoutSuccessSource: async (context: Context) =>
        send(
          context,
          plainPage(speechFor(context, deps.customer), "signedOut", appsBehind(context, deps)),
        ),
    },
  };
}

async function revocationByOwner(
  _context: unknown,
  client: { readonly clientId: string },
  token: { readonly clientId: string },
): Promise<boolean> {
  return token.clientId === client.clientId;
}

function lifetimes(chosen: Lifetimes): Record<string, number | (() => number)> {
  return {
    AccessToken: () => chosen.accessToken ?? 3600,
    AuthorizationCode: 60,
    Grant: twoWeeks,
    IdToken: chosen.idToken ?? 3600,
    Interaction: 3600,
    RefreshToken: chosen.refreshToken ?? twoWeeks,
    Session: chosen.session ?? twoWeeks,
  };
}

/** `profile` contains every claim of any person outside of the other scopes. */
function profileClaims(users: readonly User[]): string[] {
  const elsewhere = new Set(["sub", "email", "email_verified", "org_id", "org_name", "remark"]);
  const names = new Set(["picture", ...users.flatMap((person) => Object.keys(person))]);
  return [...names].filter((name) => !elsewhere.has(name));
}

function findAccount(users: readonly User[], sub: string): object | undefined {
  const person = users.find((candidate) => candidate.sub === sub);
  if (person === undefined) return undefined;
  const { remark: _remark, ...claims } = person;
  return { accountId: sub, claims: async () => claims };
}

/** Grants every request without a consent page: the application is the developer's own. */
async function grant(provider: Provider, context: ProtocolContext): Promise<unknown> {
  const { account, client, session, requestParamScopes, requestParamClaims } = context.oidc;
  if (account === undefined || client === undefined) return undefined;
  const known = session?.grantIdFor(client.clientId);
  const kept = known === undefined ? undefined : await provider.Grant.find(known);
  const granted =
    kept ?? new provider.Grant({ accountId: account.accountId, clientId: client.clientId });
  granted.addOIDCScope([...requestParamScopes].join(" "));
  granted.addOIDCClaims([...requestParamClaims]);
  for (const [identifier, { scopes }] of Object.entries(context.oidc.resourceServers)) {
    const requested = [...requestParamScopes].filter((scope) => scopes.has(scope));
    if (requested.length > 0) granted.addResourceScope(identifier, requested.join(" "));
  }
  await granted.save();
  return granted;
}

function policy(): Policy {
  const prompts = interactionPolicy.base();
  for (const name of ["select_account", "create"]) {
    prompts.add(new interactionPolicy.Prompt({ name, requestable: true }), 0);
  }
  prompts.get("login")?.checks.add(betterSignIn());
  return prompts;
}

/** Requires a new sign-in if the application requests another `acr` than the session has. */
function betterSignIn() {
  return new interactionPolicy.Check("acr_values", "a better sign-in is needed", ({ oidc }) => {
    const requested = requestedACR(oidc.params);
    return requested !== undefined && requested !== oidc.acr && oidc.result?.login === undefined;
  });
}

/** oidc-provider demands https and refuses localhost for an ID token in the front channel. */
function allowLocalhostForEveryFlow(provider: Provider): void {
  const schema = provider.Client.Schema.prototype;
  const invalidate = schema.invalidate.bind(schema);
  const localhostRules = new Set(["implicit-force-https", "implicit-forbid-localhost"]);
  schema.invalidate = (message, code) => {
    if (code === undefined || !localhostRules.has(code)) invalidate(message, code);
  };
}

/** oidc-provider knows no front-channel logout, for which an ID token needs a `sid`, too. */
function nameSessionsToFrames(provider: Provider, clients: readonly ClientSettings[]): void {
  const framed = clients.filter((client) => client.frontchannelLogoutURI !== undefined);
  const ids = new Set(framed.map(({ id }) => id));
  const { prototype } = provider.Client;
  const { includeSid } = prototype;
  prototype.includeSid = function includeSidForFrames() {
    return ids.has(this.clientId) || includeSid.call(this);
  };
}

/** oidc-provider refuses to call this machine, but the application receives logout tokens on it. */
function fetchOnLoopback(url: string, options: RequestInit): Promise<Response> {
  const { dispatcher: _guard, ...plain } = options as RequestInit & { dispatcher?: unknown };
  return fetch(url, plain);
}

function send(context: Context, page: Page): void {
  context.set(page.headers);
  context.body = page.body;
}
