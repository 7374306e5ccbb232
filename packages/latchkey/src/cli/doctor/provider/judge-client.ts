import { inForce } from "../../../crypto/in-force.ts";
import { clientAuthMethod } from "../../../oidc/client-authentication.ts";
import { landingURL } from "../../../config/addresses.ts";
import {
  type Answer,
  bare,
  isBusy,
  later,
  listOf,
  locationOf,
  objectOf,
  type Response,
  textIn,
} from "../ask.ts";
import type { AskedRelay } from "../app/ask-relay.ts";
import { failure, type Judgement, notAsked, notKnown, ok, warning } from "../finding.ts";
import { type ProviderAnswers, registeredURI } from "./ask-provider.ts";
import { judgeAuthorization, namesClient, type Refused, refusalIn } from "./redirect-verdict.ts";

export function judgeClientAuthentication({ metadata, config }: ProviderAnswers): Judgement {
  const offered = listOf(
    metadata?.["token_endpoint_auth_methods_supported"] ?? ["client_secret_basic"],
  );
  if (config.clientAuthMethod === undefined && config.clientSecret !== undefined) {
    const usable = ["client_secret_basic", "client_secret_post"].some((each) =>
      offered.includes(each),
    );
    if (usable) return ok;
  }
  const method =
    config.clientAuthMethod ??
    clientAuthMethod({ ...config, credentials: inForce(config) }, metadata as never);
  if (offered.includes(method)) return ok;
  return failure(
    `The provider does not offer ${method}, but ${offered.join(", ")}.`,
    "Set LATCHKEY_CLIENT_AUTH_METHOD to one of them that fits your client.",
  );
}

export function judgeClient(answers: ProviderAnswers): Judgement {
  const { token, authorization, config } = answers;
  if (authorization !== null && namesClient(authorization)) {
    return failure(
      `The provider does not know the client ${config.clientID}.`,
      "Compare LATCHKEY_CLIENT_ID with the settings of the provider; the issuer may be another one, too.",
    );
  }
  const refusal = authorization && refusalIn(authorization, registeredURI(answers));
  if (refusal && aboutClient.test(refusal.code)) return toRefused(refusal.text);
  if (token === null) {
    return config.responseType.includes("code")
      ? notAsked("it leaves a failed event at the provider", "--probe")
      : notAsked("this response type needs no client secret");
  }
  if (token.kind === "fault")
    return notKnown(`The token endpoint did not answer: ${token.message}`);
  const error = textIn(objectOf(token), "error");
  if (/invalid_grant|invalid_code/.test(error)) return ok;
  if (/invalid_client|unauthorized_client/.test(error) || token.status === 401) {
    return toRefused(error || `${token.status}`);
  }
  return notKnown(`The token endpoint answered ${token.status} ${error}.`);
}

const aboutClient = /^(?:unauthorized|invalid)_client$/;

function toRefused(why: string): Judgement {
  return failure(
    `The provider refuses this client (${why}).`,
    "Compare LATCHKEY_CLIENT_ID and LATCHKEY_CLIENT_SECRET with the provider, and the client authentication and grants that it allows.",
  );
}

/** Whether the provider refuses the redirect URI of the first host. */
export function refusesRedirect(answers: ProviderAnswers): boolean {
  const { authorization, state } = answers;
  if (authorization === null) return false;
  return judgeAuthorization(authorization, registeredURI(answers), state) === "refused";
}

/** The redirect URI of each host, and the relay, if one receives the responses. */
export function judgeRedirect(answers: ProviderAnswers): readonly Judgement[] {
  const { otherHosts, relay, state } = answers;
  const refused = otherHosts.filter(
    (each) => judgeAuthorization(each.answer, each.redirectURI, state) === "refused",
  );
  return [
    ...(relay === null ? [] : judgeRelay(relay, answers)),
    judgeFirstRedirect(answers),
    ...refused.map((each) => refusedAddress(answers, each.redirectURI)),
  ];
}

/** The relay sends a response on only if it knows the secret and the origin of this app. */
function judgeRelay(
  { answer, redirectURI }: AskedRelay,
  { config }: ProviderAnswers,
): readonly Judgement[] {
  if (answer.kind === "fault") {
    return [
      notKnown(`The relay at ${redirectURI} cannot be reached from here: ${answer.message}.`),
    ];
  }
  if (isBusy(answer)) return [notKnown(`The relay at ${redirectURI} is busy.`, later)];
  if (locationOf(answer)?.href.startsWith(config.baseURL) === true) return [];
  return [
    failure(
      `The relay at ${redirectURI} does not send responses on to ${config.baseURL}: it answers ${answer.status}.`,
      `Give both the same secret of the relay, and let origins of the relay have ${config.origin}. The app at the address has to be the relay.`,
    ),
  ];
}

function refusedAddress({ metadata, config }: ProviderAnswers, address: string): Judgement {
  return failure(
    `The provider refuses the redirect address ${address}.`,
    `Register exactly ${address} for the client ${config.clientID}. ${waysWithout(metadata, config)}`,
  );
}

function judgeFirstRedirect(answers: ProviderAnswers): Judgement {
  const { authorization, config, state } = answers;
  const address = registeredURI(answers);
  if (authorization === null) {
    return notAsked("the provider stores the request, or has to know the client", "--probe");
  }
  const verdict = judgeAuthorization(authorization, address, state);
  if (verdict === "refused") {
    return refusedAddress(answers, address);
  }
  const refusal = refusalIn(authorization, address);
  if (refusal !== null && !aboutClient.test(refusal.code)) {
    return failure(
      `The provider refuses the request for a sign-in (${refusal.text}).`,
      remedyFor(refusal, config),
    );
  }
  if (verdict === "accepted") return ok;
  if (isBroken(authorization)) {
    return failure(
      `${bare(authorization.url)} answers ${authorization.status} to a sign-in.`,
      "Let the metadata name the right authorization_endpoint, or mend it at the provider.",
    );
  }
  return notKnown(
    "The answer of the provider does not show if the redirect address is registered.",
    `Open ${config.baseURL}${config.routes.login}; an error page instead of a sign-in means that ${address} is not registered.`,
  );
}

/** How one of many addresses, such as that of a preview, does without a registration. */
function waysWithout(
  metadata: ProviderAnswers["metadata"],
  { pushedAuthorizationRequests: isPushing }: ProviderAnswers["config"],
): string {
  const takesPushed = textIn(metadata, "pushed_authorization_request_endpoint") !== "";
  const pushed =
    takesPushed && isPushing === false
      ? " LATCHKEY_PUSHED_AUTHORIZATION_REQUESTS=true may do, too, since the provider offers it."
      : "";
  return `For a preview or a further host take the relay of latchkey/relay instead, with one address for all; with one, name the running app: latchkey doctor <its address>.${pushed}`;
}

/** Whether nothing useful is at an address of the provider. */
function isBroken(answer: Answer): answer is Response {
  if (answer.kind === "fault" || isBusy(answer)) return false;
  return [404, 410].includes(answer.status) || answer.status >= 500;
}

function remedyFor({ code, text }: Refused, { scope }: ProviderAnswers["config"]): string {
  if (code === "invalid_scope") {
    return `Allow the scopes ${scope} for the client at the provider, or set LATCHKEY_SCOPE to those it has.`;
  }
  return /pushed/i.test(text)
    ? "Set LATCHKEY_PUSHED_AUTHORIZATION_REQUESTS=true"
    : "Change the client at the provider, or the settings, so that they fit.";
}

export function judgeLogoutAddress({ endSession, config, relay }: ProviderAnswers): Judgement {
  if (endSession === null || endSession.kind === "fault") return ok;
  const said = `${endSession.headers.get("location") ?? ""} ${endSession.text}`;
  const isRefused =
    endSession.status >= 400 && /post_logout_redirect_uri|logout.{0,20}ur[li]|returnTo/i.test(said);
  const address = landingURL(config);
  if (isRefused && relay !== null) {
    return warning(
      `The provider refuses the address after logout, ${address}: a logout here ends on its page.`,
      "Set LATCHKEY_IDP_LOGOUT=false here: a logout then ends the session of this app alone.",
    );
  }
  if (isRefused) {
    return failure(
      `The provider refuses the address after logout, ${address}.`,
      `Register exactly ${address} as post-logout redirect address.`,
    );
  }
  return isBroken(endSession)
    ? failure(
        `${bare(endSession.url)} answers ${endSession.status}: a logout ends there, and the user stays signed in at the provider.`,
        "Let the metadata name the right end_session_endpoint.",
      )
    : ok;
}
