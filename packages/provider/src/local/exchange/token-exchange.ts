import { errors } from "oidc-provider";
import type { AccessToken, Client, ProtocolContext, Provider } from "oidc-provider";
import {
  checkDpopReplay,
  checkDpopRequired,
  validateDpop,
} from "oidc-provider/lib/helpers/grants.js";
import type { ProtocolDeps } from "../protocol-deps.ts";
import { findResource, resourceServerInfo } from "../resources.ts";
import type { ResourceSettings } from "../settings.ts";
import {
  accessTokenType,
  exchangeGrants,
  exchangeParameters,
  readExchange,
  type ExchangeRequest,
} from "./exchange-form.ts";
import { readSubjectToken, type SubjectToken } from "./subject-token.ts";

/** Adds the grants of token exchange to oidc-provider, which has none of its own. */
export function allowTokenExchange(provider: Provider, deps: ProtocolDeps): void {
  for (const name of exchangeGrants) {
    provider.registerGrantType(
      name,
      (context) => exchangeToken(provider, deps, context),
      exchangeParameters,
    );
  }
}

async function exchangeToken(
  provider: Provider,
  deps: ProtocolDeps,
  context: ProtocolContext,
): Promise<void> {
  const { client } = context.oidc;
  if (client === undefined) throw new errors.InvalidRequest("no client");
  const request = readExchange(context.oidc.params);
  const proof = await validateDpop(provider, context);
  const subject = await readSubjectToken(provider, deps, request.subjectToken);
  checkOwner(deps, client, subject);
  if (subject.jkt !== undefined && subject.jkt !== proof?.thumbprint) {
    throw new errors.InvalidGrant("the subject token is bound to another key");
  }
  const resource = targetOf(deps, request.target);
  const scopes = scopesOf(resource, request.scopes);
  checkDpopRequired(provider, context, proof);
  await checkDpopReplay(provider, context, proof, client.clientId);
  const token = await createToken(provider, { client, subject, resource, scopes });
  if (proof !== undefined) token.setThumbprint("jkt", proof.thumbprint);
  context.body = responseOf(request, token, await token.save());
}

/** A client exchanges its own tokens, and those of the API that it is. */
function checkOwner({ settings }: ProtocolDeps, { clientId }: Client, subject: SubjectToken): void {
  const { resources = [] } = settings;
  const isForClient = resources.some(
    (resource) => resource.exchangedBy === clientId && audienceOf(resource) === subject.audience,
  );
  if (subject.clientID === clientId || isForClient) return;
  throw new errors.InvalidGrant("the subject token was issued for another client");
}

function targetOf(
  { settings: { resources = [] } }: ProtocolDeps,
  target: string,
): ResourceSettings {
  const found =
    findResource(resources, target) ??
    resources.find((resource) => audienceOf(resource) === target);
  if (found !== undefined) return found;
  throw new errors.InvalidTarget(`no API of this provider is called ${target}`);
}

function scopesOf({ scopes }: ResourceSettings, wanted: readonly string[]): readonly string[] {
  const unknown = wanted.filter((scope) => !scopes.includes(scope));
  if (unknown.length === 0) return wanted.length === 0 ? scopes : wanted;
  throw new errors.InvalidScope("the API has no such scope", unknown.join(" "));
}

interface NewToken {
  readonly client: Client;
  readonly subject: SubjectToken;
  readonly resource: ResourceSettings;
  readonly scopes: readonly string[];
}

/** The new token ends with the subject token at the latest. */
async function createToken(
  provider: Provider,
  { client, subject, resource, scopes }: NewToken,
): Promise<AccessToken> {
  const scope = scopes.join(" ");
  const grant = new provider.Grant({ accountId: subject.sub, clientId: client.clientId });
  grant.addResourceScope(resource.identifier, scope);
  const info = resourceServerInfo(resource);
  const secondsLeft = subject.expiresAt - Math.floor(Date.now() / 1000);
  return new provider.AccessToken({
    accountId: subject.sub,
    client,
    grantId: await grant.save(),
    gty: "token_exchange",
    expiresIn: Math.max(1, secondsLeft),
    resourceServer: new provider.ResourceServer(resource.identifier, info),
    scope,
  });
}

function responseOf(
  { hasIssuedTokenType }: ExchangeRequest,
  token: AccessToken,
  value: string,
): Record<string, unknown> {
  return {
    access_token: value,
    ...(hasIssuedTokenType ? { issued_token_type: accessTokenType } : {}),
    token_type: token.tokenType,
    expires_in: token.expiration,
    scope: token.scope,
  };
}

function audienceOf({ audience, identifier }: ResourceSettings): string {
  return audience ?? identifier;
}
