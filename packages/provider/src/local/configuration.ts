import type { Policy, ProtocolContext } from "oidc-provider";
import { Provider, interactionPolicy } from "oidc-provider";
import { clientMetadata } from "./clients.ts";
import type { ProviderKeys } from "./keys.ts";
import { errorPage } from "./pages/error-page.ts";
import type { Page } from "./pages/page.ts";
import { signedOutPage } from "./pages/signed-out-page.ts";
import type { Person } from "./people/sample-people.ts";
import type { ClientSettings, Lifetimes, ProviderSettings } from "./settings.ts";
import type { Storage } from "./storage.ts";

const twoWeeks = 14 * 24 * 60 * 60;

/** What the protocol engine is made from. */
export interface Parts {
  readonly issuer: string;
  readonly settings: ProviderSettings;
  readonly clients: readonly ClientSettings[];
  readonly people: readonly Person[];
  readonly keys: ProviderKeys;
  readonly storage: Storage;
}

/** Makes the protocol engine: oidc-provider, set up for sample people and our own pages. */
export function makeEngine(parts: Parts): Provider {
  const provider = new Provider(
    parts.issuer,
    configuration(parts, (...of) => grant(provider, ...of)),
  );
  allowLocalhostForEveryFlow(provider);
  return provider;
}

function configuration(
  { settings, clients, people, keys, storage }: Parts,
  loadExistingGrant: (context: ProtocolContext) => Promise<unknown>,
): Record<string, unknown> {
  return {
    adapter: storage.adapter,
    clients: clients.map(clientMetadata),
    jwks: keys.jwks,
    cookies: {
      keys: keys.cookieKeys,
      // Cookies do not separate ports: application and provider on localhost share one jar.
      names: {
        session: "provider_session",
        interaction: "provider_interaction",
        resume: "provider_resume",
      },
      long: { signed: true, httpOnly: true, sameSite: "lax" },
      short: { signed: true, httpOnly: true, sameSite: "lax" },
    },
    claims: {
      openid: ["sub", "org_id", "org_name"],
      email: ["email", "email_verified"],
      profile: profileClaims(people),
    },
    conformIdTokenClaims: settings.claimsIn === "userinfo",
    extraParams: ["organization"],
    features: features(),
    fetch: fetchOnLoopback,
    findAccount: (_context: unknown, sub: string) => findAccount(people, sub),
    interactions: {
      policy: policy(),
      url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}`,
    },
    enabledJWA: {
      idTokenSigningAlgValues: ["RS256", "PS256", "ES256", "EdDSA", "HS256"],
      userinfoSigningAlgValues: ["RS256", "PS256", "ES256", "EdDSA", "HS256"],
    },
    issueRefreshToken: async (
      _context: unknown,
      client: { grantTypeAllowed(type: string): boolean },
    ) => client.grantTypeAllowed("refresh_token"),
    rotateRefreshToken: settings.refreshTokenRotation ?? true,
    pkce: { required: () => false },
    clientBasedCORS: () => false,
    loadExistingGrant,
    renderError: async (context: ProtocolContext, out: Record<string, string | undefined>) =>
      send(context, errorPage(out["error"] ?? "server_error", out["error_description"])),
    ttl: lifetimes(settings.lifetimes ?? {}),
  };
}

function features(): Record<string, unknown> {
  return {
    devInteractions: { enabled: false },
    backchannelLogout: { enabled: true },
    claimsParameter: { enabled: true },
    jwtUserinfo: { enabled: true },
    pushedAuthorizationRequests: { enabled: true },
    revocation: { enabled: true, allowedPolicy: revocationByOwner },
    rpInitiatedLogout: {
      enabled: true,
      // Never seen: `finish-logout.ts` answers the question in the browser's place.
      logoutSource: async (context: ProtocolContext, form: string) => {
        context.body = form;
      },
      postLogoutSuccessSource: async (context: ProtocolContext) => send(context, signedOutPage()),
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

function lifetimes(chosen: Lifetimes): Record<string, number> {
  return {
    AccessToken: chosen.accessToken ?? 3600,
    AuthorizationCode: 60,
    Grant: twoWeeks,
    IdToken: chosen.idToken ?? 3600,
    Interaction: 3600,
    RefreshToken: chosen.refreshToken ?? twoWeeks,
    Session: chosen.session ?? twoWeeks,
  };
}

/** Every claim that some person has and that no other scope brings belongs to `profile`. */
function profileClaims(people: readonly Person[]): string[] {
  const elsewhere = new Set(["sub", "email", "email_verified", "org_id", "org_name", "remark"]);
  const names = new Set(["picture", ...people.flatMap((person) => Object.keys(person))]);
  return [...names].filter((name) => !elsewhere.has(name));
}

function findAccount(people: readonly Person[], sub: string): object | undefined {
  const person = people.find((candidate) => candidate.sub === sub);
  if (person === undefined) return undefined;
  const { remark: _remark, ...claims } = person;
  return { accountId: sub, claims: async () => claims };
}

/** Nobody is asked to consent: the application is one's own. What is requested is granted. */
async function grant(provider: Provider, context: ProtocolContext): Promise<unknown> {
  const { account, client, session, requestParamScopes, requestParamClaims } = context.oidc;
  if (account === undefined || client === undefined) return undefined;
  const known = session?.grantIdFor(client.clientId);
  const kept = known === undefined ? undefined : await provider.Grant.find(known);
  const granted =
    kept ?? new provider.Grant({ accountId: account.accountId, clientId: client.clientId });
  granted.addOIDCScope([...requestParamScopes].join(" "));
  granted.addOIDCClaims([...requestParamClaims]);
  await granted.save();
  return granted;
}

function policy(): Policy {
  const prompts = interactionPolicy.base();
  prompts.add(new interactionPolicy.Prompt({ name: "select_account", requestable: true }), 0);
  return prompts;
}

/** oidc-provider wants https and no localhost for a front-channel ID token; here is a test bench. */
function allowLocalhostForEveryFlow(provider: Provider): void {
  const schema = provider.Client.Schema.prototype;
  const invalidate = schema.invalidate.bind(schema);
  const localhostRules = new Set(["implicit-force-https", "implicit-forbid-localhost"]);
  schema.invalidate = (message, code) => {
    if (code === undefined || !localhostRules.has(code)) invalidate(message, code);
  };
}

/** Logout tokens go to an application on this machine, which oidc-provider's guard refuses. */
function fetchOnLoopback(url: string, options: RequestInit): Promise<Response> {
  const { dispatcher: _guard, ...plain } = options as RequestInit & { dispatcher?: unknown };
  return fetch(url, plain);
}

function send(context: ProtocolContext, page: Page): void {
  context.set(page.headers);
  context.body = page.body;
}
