import type { Engine } from "../host/engine.ts";
import type { AdmittedRequest, Received } from "../host/admitted-request.ts";
import type { Call, GuardedCall, Scheme } from "../host/scheme.ts";
import type { HostRequest } from "../http/auth-request.ts";
import type { ChallengeParameters } from "../http/challenge.ts";
import { parseTarget, type RequestTarget } from "../http/request-target.ts";
import { explainRules } from "../principal/access-rules.ts";
import { isAPI, isCertainlyAPI } from "../request/guard/guarded-paths.ts";
import { admitCaller } from "./admit.ts";
import { callerErrorOf, CallerAuth, type Presented, scopesIn } from "./caller-auth.ts";
import { readCredentials, refuseTokenInQuery } from "./credentials.ts";
import { crossOriginHeaders, isPreflight, preflightResponse } from "./cross-origin.ts";
import { proofAlgorithms } from "./dpop.ts";
import type { AccessToken } from "./jwt.ts";
import type { ProofPlace } from "./proof-use.ts";
import { principalOfToken } from "./principal-of-token.ts";
import { challengeCaller, refuseCaller, type Refusing } from "./refuse.ts";
import { createRefusalLog } from "./refusal-log.ts";
import type { ApiOptions } from "./settings.ts";
import { createTokenVerifier, type TokenVerifier } from "./token-verifier.ts";
import { TokenRefused } from "./token-refused.ts";

/** What another entry point, such as `latchkey/mcp`, adds. */
export interface BearerOptions extends ApiOptions {
  /** Parameters of the `Bearer` challenge at a path. */
  readonly challengeParameters?: (target: RequestTarget) => ChallengeParameters | undefined;
}

/** What all requests share. */
interface Api {
  readonly options: BearerOptions;
  readonly verify: TokenVerifier;
  readonly log: (error: unknown) => void;
}

/**
 * Creates what authenticates callers by access tokens. The header decides first: a request with the
 * scheme `Bearer` or `DPoP` never counts by its cookie.
 */
export function createBearerScheme(options: BearerOptions, engine: Engine): Scheme {
  const verify = createTokenVerifier(options, engine);
  const api: Api = { options, verify, log: createRefusalLog(engine) };
  return {
    async receive(call) {
      if (isPreflightForAPI(call)) return receivePreflight(options, call);
      try {
        const presented = await presentedBy(api, call, "guard");
        return presented === null ? "passed" : receiveCaller(api, call, presented);
      } catch (error) {
        return refuse(api, call, error);
      }
    },
    async admit(call) {
      const presented = await presentedBy(api, call, "handler").catch((error: unknown) => ({
        principal: null,
        error,
      }));
      return presented === null ? "passed" : admit(api, call, { presented, pathScopes: [] });
    },
    challenge: (call) =>
      isAPI(call.context.config, call.target)
        ? challengeCaller(refusingAt(api, call), call.exchange.request)
        : null,
  };
}

function receiveCaller(api: Api, call: GuardedCall, presented: Presented): Received {
  const { error, pathScopes } = judge(call, presented);
  return error === null
    ? { admitted: admit(api, call, { presented, pathScopes }) }
    : refuse(api, call, error);
}

interface Judgement {
  /** Why the request may not go on; `null` if it may. */
  readonly error: unknown;
  /** The scopes that the rules of the path need. */
  readonly pathScopes: readonly string[];
}

/** Decides about a request by what it presents, and by the rules of its path. */
function judge(
  { context, target, rules, isGuarded }: GuardedCall,
  { principal, error }: Presented,
): Judgement {
  if (principal !== null) {
    const explanation = explainRules(context, principal, rules);
    return { error: callerErrorOf(explanation), pathScopes: scopesIn(explanation) };
  }
  // On a public page the header may be for the app alone: `auth` refuses it if a handler reads it.
  const isForUs = isGuarded || isAPI(context.config, target);
  return { error: isForUs ? error : null, pathScopes: [] };
}

/**
 * Returns the token of a request, or the reason why it does not count; `null` without one.
 *
 * @throws {Refusal} if it cannot be checked now
 */
async function presentedBy(
  api: Api,
  call: Call,
  step: ProofPlace["step"],
): Promise<Presented | null> {
  const { context, target, outer } = call;
  const { request } = call.exchange;
  try {
    if (isAPI(context.config, target)) refuseTokenInQuery(target.query);
    const sent = readCredentials(request);
    if (sent === null) return null;
    const known = outerToken(api, request, outer);
    const { token, headers } =
      known === null
        ? await api.verify({ request, target, config: context.config, step }, sent)
        : { token: known, headers: [] };
    return {
      principal: principalOfToken(token),
      token,
      headers,
      sent: sent.token,
      verifiedBy: api.verify,
    };
  } catch (error) {
    api.log(error);
    if (error instanceof TokenRefused) return { principal: null, error };
    throw error;
  }
}

function admit(
  api: Api,
  call: Call,
  admission: { readonly presented: Presented; readonly pathScopes: readonly string[] },
): AdmittedRequest {
  const recover = (error: unknown) => {
    if (error instanceof TokenRefused) api.log(error);
    return refuseCaller(refusingAt(api, call), call.exchange.request, error);
  };
  const shared = crossOriginHeaders(api.options.origins ?? [], call.exchange.request);
  return admitCaller(call, { ...admission, shared, recover });
}

/** @throws the error, if it is none of ours */
function refuse(api: Api, call: Call, error: unknown): Received {
  const response = refuseCaller(refusingAt(api, call), call.exchange.request, error);
  if (response === null) throw error;
  return { response };
}

function refusingAt({ options }: Api, { context, target }: Call): Refusing {
  return {
    config: context.config,
    origins: options.origins ?? [],
    proofAlgorithms: options.dpop === false ? null : proofAlgorithms,
    parameters: options.challengeParameters?.(target),
  };
}

/**
 * The token of a request of the app to itself, with the header of the outer one, is not verified
 * again, unless another API with another audience has verified it.
 */
function outerToken(
  { verify }: Api,
  request: HostRequest,
  outer: AdmittedRequest | undefined,
): AccessToken | null {
  if (!(outer?.auth instanceof CallerAuth)) return null;
  const headerOf = ({ headers }: HostRequest) => headers.get("authorization");
  const isSame = headerOf(outer.request) === headerOf(request);
  return isSame ? outer.auth.tokenVerifiedBy(verify) : null;
}

/** Passes a preflight on only if the options say so: any client can send one. */
function receivePreflight(
  { preflights = "answer", origins = [] }: ApiOptions,
  { exchange: { request } }: GuardedCall,
): Received | "unguarded" {
  return preflights === "pass" ? "unguarded" : { response: preflightResponse(origins, request) };
}

/**
 * Returns whether a preflight is for a guarded path, and goes to the API in every case: for each of
 * its targets, and for each way in which a server may read them.
 */
function isPreflightForAPI({ context, target, exchange, isGuarded }: GuardedCall): boolean {
  const { request } = exchange;
  if (!isGuarded || !isPreflight(request)) return false;
  const { config } = context;
  const targets = [target, ...(request.otherTargets ?? []).map(parseTarget)];
  return targets.every((each) => each !== null && isCertainlyAPI(config, each));
}
