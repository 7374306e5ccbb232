import type { Config } from "../config/config.ts";
import type { Engine } from "../host/engine.ts";
import { nowSeconds } from "../config/runtime.ts";
import type { HostRequest } from "../http/auth-request.ts";
import { networkOf } from "../http/client-network.ts";
import type { HeaderList } from "../http/headers.ts";
import type { RequestTarget } from "../http/request-target.ts";
import type { Credentials } from "./credentials.ts";
import { checkProof } from "./dpop.ts";
import { createIntrospection } from "./introspection.ts";
import { type AccessToken, verifyJWT } from "./jwt.ts";
import { createNonces, createOneUse, type ProofPlace } from "./proof-use.ts";
import { rememberVerified } from "./remember-verified.ts";
import type { ApiOptions } from "./settings.ts";
import { invalidToken } from "./token-refused.ts";
import { createTrust, namesAnother } from "./trust.ts";

export interface TokenRequest {
  readonly request: HostRequest;
  readonly target: RequestTarget;
  /** Of the site that the request is for. */
  readonly config: Config;
  readonly step: ProofPlace["step"];
}

/** A token that counts, and the headers that its response carries. */
export interface VerifiedToken {
  readonly token: AccessToken;
  readonly headers: HeaderList;
}

export type TokenVerifier = (asked: TokenRequest, sent: Credentials) => Promise<VerifiedToken>;

/**
 * Creates the check of access tokens: of JWTs here, of opaque ones by the provider, with the proofs
 * of those that are bound to a key.
 *
 * @throws {TokenRefused} and, if a token cannot be checked now, {@link Refusal}
 */
export function createTokenVerifier(options: ApiOptions, engine: Engine): TokenVerifier {
  const checkToken = createTokenCheck(options, engine);
  const checkBinding = createBindingCheck(options, engine);
  return async (asked, sent) => {
    const token = await checkToken(sent.token, asked.request);
    return { token, headers: await checkBinding(asked, sent, token) };
  };
}

/** Checks what a token says: with the keys of its issuer, or by introspection. */
function createTokenCheck(
  options: ApiOptions,
  engine: Engine,
): (token: string, request: HostRequest) => Promise<AccessToken> {
  const trust = createTrust(options, engine);
  const { introspection = false } = options;
  const byJWT = rememberVerified((token) => verifyJWT(token, trust(), nowSeconds(engine)), engine);
  if (introspection === false) return byJWT;
  const settings = introspection === true ? {} : introspection;
  const introspect = createIntrospection(options, settings, engine);
  const from = engine.config.session.networkFrom ?? "socket";
  const ask = (token: string, request: HostRequest) =>
    introspect(token, networkOf(request, from) ?? "");
  // A JWT whose check has failed is not asked about.
  const isForKeys =
    settings.tokens === "opaque"
      ? (token: string) => token.split(".").length === 3
      : (token: string) => namesAnother(token, trust(), engine.connections.default.issuer);
  return (token, request) => (isForKeys(token) ? byJWT(token) : ask(token, request));
}

/** Checks that a token is used with the key it is bound to, and with no key it is not. */
function createBindingCheck({ dpop = true }: ApiOptions, engine: Engine) {
  const { isRequired = false, nonce = false } = typeof dpop === "object" ? dpop : {};
  const useOnce = createOneUse(engine);
  const nonces = nonce ? createNonces(engine) : null;
  return async (
    { request, target, config, step }: TokenRequest,
    { scheme, token }: Credentials,
    { boundKey }: AccessToken,
  ): Promise<HeaderList> => {
    if (boundKey === undefined) {
      if (scheme === "DPoP") throw invalidToken("The access token is not bound to a key.");
      if (isRequired) throw invalidToken("The access token must be bound to a key.");
      return [];
    }
    if (dpop === false) {
      throw invalidToken("Access tokens that are bound to a key are not accepted.");
    }
    if (scheme !== "DPoP") throw invalidToken("The access token needs a DPoP proof.");
    const now = nowSeconds(engine);
    const proof = await checkProof({ request, target, config, token, boundKey, now });
    const headers = nonces?.check(proof) ?? [];
    await useOnce(proof, { boundKey, step });
    return headers;
  };
}
