import type { SignIn } from "../request/start-session.ts";
import { nowSeconds, type Runtime } from "../config/runtime.ts";
import type { Collected } from "../http/parameters.ts";
import { readAuthorizationResponse, responseForm } from "../oidc/authorization-response.ts";
import { completeProfile } from "../oidc/complete-profile.ts";
import type { Connection } from "../oidc/connection.ts";
import { requestTokens } from "../oidc/token-request.ts";
import { type IDTokenClaims, verifyIDToken } from "../oidc/tokens/id-token.ts";
import { timeAt } from "../oidc/tokens/token-claims.ts";
import type { Transaction } from "../transaction/transaction.ts";
import { identityChecks, profileChecks, userChecks } from "./user-checks.ts";

/** With whom and where a sign-in is completed, and by which clock. */
interface Completion extends Pick<Runtime, "clock"> {
  readonly connection: Connection;
  readonly redirectURI: string;
}

/**
 * Gets the user's identity from the provider, and verifies authorization response, token response
 * and ID token.
 */
export async function completeSignIn(
  completion: Completion,
  transaction: Transaction,
  { parameters, repeated }: Collected,
): Promise<SignIn> {
  const { connection, clock } = completion;
  const { check, issuer } = connection;
  check(responseForm, { repeated });
  const metadata = await issuer.metadata();
  const { code, idToken } = readAuthorizationResponse(connection, parameters, metadata);
  const named = parameters.get("iss");
  if (code === undefined) {
    const claims = await verifyFrontChannel(completion, transaction, { idToken });
    check(identityChecks, { named, claims, front: null });
    return { claims, idToken, tokens: null, receivedAt: clock() };
  }
  // Before anything else of the response is used.
  const front =
    idToken === undefined
      ? null
      : await verifyFrontChannel(completion, transaction, { code, idToken });
  const signIn = await exchangeCode(completion, transaction, code);
  check(identityChecks, { named, claims: signIn.claims, front });
  return signIn;
}

/** Verifies the front-channel ID token in full. */
function verifyFrontChannel(
  { connection, clock }: Completion,
  { nonce, maxAge, state }: Transaction,
  { code, idToken }: { readonly code?: string; readonly idToken: string },
): Promise<IDTokenClaims> {
  const expected = { nonce, maxAge, code, state, now: nowSeconds({ clock }) };
  return verifyIDToken(connection, idToken, expected);
}

async function exchangeCode(
  { connection, redirectURI, clock }: Completion,
  { nonce, maxAge, codeVerifier = "" }: Transaction,
  code: string,
): Promise<SignIn> {
  const tokens = await requestTokens(connection, { code, codeVerifier, redirectURI });
  const receivedAt = clock();
  const expected = { nonce, maxAge, accessToken: tokens.accessToken, now: nowSeconds({ clock }) };
  const claims = await verifyIDToken(connection, tokens.idToken, expected);
  return { claims, idToken: tokens.idToken ?? "", tokens, receivedAt };
}

/**
 * Returns the claims of an admitted user, completed by userinfo if needed.
 *
 * @throws {Refusal} `organization_mismatch`, `email_domain_mismatch`, `step_up_unmet`,
 *   `token_expired`, or the errors of `fetchUserinfo`
 */
export async function admittedProfile(
  completion: Completion,
  transaction: Transaction,
  { claims, tokens }: SignIn,
): Promise<IDTokenClaims> {
  const { connection } = completion;
  const time = timeAt(connection, nowSeconds(completion));
  const clockFault = connection.issuer.clockFault();
  connection.check(userChecks, { claims, connection, started: transaction, time, clockFault });
  const known = { claims, accessToken: tokens?.accessToken, now: time.now };
  const profile = await completeProfile(connection, known);
  connection.check(profileChecks, { claims: profile, connection });
  return profile;
}
