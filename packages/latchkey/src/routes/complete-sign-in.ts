import type { SignIn } from "../request/start-session.ts";
import type { Context } from "../context.ts";
import { nowSeconds } from "../config/runtime.ts";
import type { Collected } from "../http/parameters.ts";
import { readAuthorizationResponse, responseForm } from "../oidc/authorization-response.ts";
import { requestTokens } from "../oidc/token-request.ts";
import { type IDTokenClaims, verifyIDToken } from "../oidc/tokens/id-token.ts";
import { fetchUserinfo } from "../oidc/userinfo.ts";
import type { Transaction } from "../transaction/transaction.ts";
import { identityChecks, userChecks } from "./user-checks.ts";

/**
 * Gets the user's identity from the provider, and verifies authorization response, token response
 * and ID token.
 */
export async function completeSignIn(
  context: Context,
  transaction: Transaction,
  { parameters, repeated }: Collected,
): Promise<SignIn> {
  const { config, provider, clock } = context;
  const { check } = provider;
  check(responseForm, { repeated });
  const metadata = await provider.metadata();
  const { code, idToken } = readAuthorizationResponse(parameters, config, metadata, check);
  const named = parameters.get("iss");
  if (code === undefined) {
    const claims = await verifyFrontChannel(context, transaction, { idToken });
    check(identityChecks, { named, claims, front: null });
    return { claims, idToken, tokens: null, receivedAt: clock() };
  }
  // Before anything else of the response is used.
  const front =
    idToken === undefined
      ? null
      : await verifyFrontChannel(context, transaction, { code, idToken });
  const signIn = await exchangeCode(context, transaction, code);
  check(identityChecks, { named, claims: signIn.claims, front });
  return signIn;
}

/** Verifies the front-channel ID token in full. */
function verifyFrontChannel(
  { config, provider, clock }: Context,
  { nonce, maxAge, state }: Transaction,
  { code, idToken }: { readonly code?: string; readonly idToken: string },
): Promise<IDTokenClaims> {
  const expected = { nonce, maxAge, code, state, now: nowSeconds({ clock }) };
  return verifyIDToken(idToken, { config, provider, expected });
}

async function exchangeCode(
  { config, provider, clock }: Context,
  { nonce, maxAge, codeVerifier = "" }: Transaction,
  code: string,
): Promise<SignIn> {
  const tokens = await requestTokens(config, provider, { code, codeVerifier });
  const receivedAt = clock();
  const expected = { nonce, maxAge, accessToken: tokens.accessToken, now: nowSeconds({ clock }) };
  const claims = await verifyIDToken(tokens.idToken, { config, provider, expected });
  return { claims, idToken: tokens.idToken ?? "", tokens, receivedAt };
}

/**
 * Returns the claims of an admitted user, completed by userinfo if needed.
 *
 * @throws {Refusal} `organization_mismatch`, `step_up_unmet`, `token_expired`, or the errors of
 *   `fetchUserinfo`
 */
export async function admittedProfile(
  context: Context,
  transaction: Transaction,
  { claims, tokens }: SignIn,
): Promise<IDTokenClaims> {
  const { config, provider } = context;
  const time = { now: nowSeconds(context), clockTolerance: config.clockTolerance };
  const clockFault = provider.clockFault();
  const { organization } = config;
  provider.check(userChecks, { claims, organization, started: transaction, time, clockFault });
  return completeProfile(context, claims, tokens?.accessToken);
}

/** Claims of the scopes `profile` and `email` (OpenID Connect Core 5.4). */
const profileClaims: Readonly<Record<string, readonly string[]>> = {
  profile: ["name", "family_name", "given_name", "nickname", "preferred_username", "picture"],
  email: ["email"],
};

/** Many providers leave name and email out of the ID token, as the standard allows (5.4). */
async function completeProfile(
  { config, provider, clock }: Context,
  claims: IDTokenClaims,
  accessToken: string | undefined,
): Promise<IDTokenClaims> {
  if (accessToken === undefined || config.userinfo === "never") return claims;
  const { userinfo_endpoint: endpoint } = await provider.metadata();
  if (
    config.userinfo === "auto" &&
    (endpoint === undefined || !lacksProfile(config.scope, claims))
  ) {
    return claims;
  }
  const userinfo = await fetchUserinfo(config, provider, {
    accessToken,
    subject: claims.sub,
    now: nowSeconds({ clock }),
  });
  return { ...userinfo, ...claims };
}

/** Whether the token has none of the requested claims. */
function lacksProfile(scope: string, claims: IDTokenClaims): boolean {
  const requested = scope.split(" ").flatMap((name) => profileClaims[name] ?? []);
  return requested.length > 0 && !requested.some((name) => name in claims);
}
