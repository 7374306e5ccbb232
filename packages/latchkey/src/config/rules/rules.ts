import { rollingDurationSeconds } from "../constants.ts";
import { routesOf } from "../routes.ts";
import type { ResolvedSettings } from "../settings-schema.ts";
import { cookieRules } from "./cookie-rules.ts";
import { fault, isHttps, isLoopback, type Rule, type RuleOver } from "./rule.ts";

const issuerIsSecure: Rule = ({ issuerBaseURL }) =>
  isHttps(issuerBaseURL) || isLoopback(issuerBaseURL)
    ? null
    : fault(
        "issuerBaseURL",
        "must be https, except on this machine itself",
        "Use the https address of the provider.",
        issuerBaseURL,
      );

const baseURLIsNoRoute: Rule = ({ baseURL, routes: { prefix, callback } }) => {
  const path = new URL(baseURL).pathname.replace(/\/+$/, "");
  const route = [callback ?? `${prefix}/callback`, prefix].find((each) => path.endsWith(each));
  return route === undefined
    ? null
    : fault(
        "baseURL",
        "is the address of a route of sign-in, not of the app",
        `Leave out ${route}: the routes are found below the base URL.`,
        baseURL,
      );
};

const issuerIsNoDocument: Rule = ({ issuerBaseURL }) =>
  issuerBaseURL.includes("/.well-known/")
    ? fault(
        "issuerBaseURL",
        "is the address of the metadata, not the issuer",
        "Leave out /.well-known/ and what follows it.",
        issuerBaseURL,
      )
    : null;

const responseModeFits: Rule = ({ responseType, responseMode }) =>
  responseType !== "code" && responseMode === "query"
    ? fault(
        "responseMode",
        "must be [form_post]",
        `Response type ${responseType} returns by form_post only: leave this option out, or set form_post.`,
        responseMode,
      )
    : null;

const formPostNeedsHttps: Rule = ({ responseType, responseMode, baseURL }) =>
  (responseType !== "code" || responseMode === "form_post") &&
  !isHttps(baseURL) &&
  !isLoopback(baseURL)
    ? fault(
        "responseMode",
        "form_post needs an https base URL: browsers send cookies with a cross-site POST only over https",
        "Use an https base URL, or response type code with response mode query.",
        responseMode ?? "form_post",
      )
    : null;

const hmacNeedsSecret: Rule = ({ idTokenSigningAlg, clientSecret }) =>
  idTokenSigningAlg.startsWith("HS") && clientSecret === undefined
    ? fault(
        "clientSecret",
        "is required for ID tokens with HMAC based algorithms",
        "Set the client secret, or choose another ID token algorithm.",
      )
    : null;

const clientAuthNeedsSecret: Rule = (settings) => {
  const { clientAuthMethod, clientSecret, clientAssertionSigningKey, responseType } = settings;
  if (clientSecret !== undefined || clientAuthMethod === "private_key_jwt") return null;
  if (clientAuthMethod === undefined) {
    const needed = responseType !== "id_token" || settings.pushedAuthorizationRequests;
    if (!needed || clientAssertionSigningKey !== undefined) return null;
  }
  return fault(
    "clientSecret",
    `is required for the clientAuthMethod ${clientAuthMethod ?? "client_secret_basic"}`,
    "Set the client secret that the provider gave you; public clients are not supported.",
  );
};

const privateKeyPresent: Rule = ({ clientAuthMethod, clientAssertionSigningKey }) =>
  clientAuthMethod === "private_key_jwt" && clientAssertionSigningKey === undefined
    ? fault(
        "clientAssertionSigningKey",
        'is required for a "clientAuthMethod" of "private_key_jwt"',
        "Set the private key, as PKCS #8 PEM or as a JWK.",
      )
    : null;

const rollingDurationFits: Rule = ({ session }) => {
  if (session.rolling && session.rollingDuration === false) {
    return fault(
      "session.rollingDuration",
      'must be provided an integer value when "session.rolling" is true',
      "Set a number of seconds, or set rolling to false.",
      session.rollingDuration,
    );
  }
  return !session.rolling && typeof session.rollingDuration === "number"
    ? fault(
        "session.rollingDuration",
        'must be false when "session.rolling" is disabled',
        "Leave it out, or set rolling to true.",
        session.rollingDuration,
      )
    : null;
};

const sessionsEnd: Rule = ({ session }) =>
  !session.rolling && session.absoluteDuration === false
    ? fault(
        "session.absoluteDuration",
        'must be provided an integer value when "session.rolling" is false',
        "Set a number of seconds.",
        session.absoluteDuration,
      )
    : null;

const renewalPrecedesEnd: Rule = ({ session }) => {
  const { rolling, rollingDuration = rollingDurationSeconds, renewAfter } = session;
  return rolling && rollingDuration !== false && renewAfter >= rollingDuration
    ? fault(
        "session.renewAfter",
        `must be less than the rolling duration of ${rollingDuration} seconds`,
        "Choose a smaller number: with this one no use would prolong a session.",
        renewAfter,
      )
    : null;
};

/** @param valueOf - what the setting says, where that needs a store */
function needsStore(
  option: string,
  purpose: string,
  valueOf: (settings: ResolvedSettings) => string | boolean | undefined,
): RuleOver {
  const rule: Rule = (settings, { hasStore }) => {
    const value = valueOf(settings);
    if (hasStore || value === undefined || value === false) return null;
    const otherwise = value === true ? "set it to false" : "leave it out";
    const remedy = `Give a store (LATCHKEY_STORE=sqlite:<file>), or ${otherwise}.`;
    return fault(option, `needs a store to ${purpose}`, remedy, value);
  };
  return { reads: [option], rule };
}

const rememberEnds = "remember which sessions have ended";

const reserved: readonly string[] = [
  "client_id",
  "code_challenge",
  "code_challenge_method",
  "max_age",
  "nonce",
  "redirect_uri",
  "request",
  "request_uri",
  "response_mode",
  "response_type",
  "scope",
  "state",
];

const noReservedParameters: Rule = ({ authorizationParams }) => {
  const taken = Object.keys(authorizationParams).filter((name) => reserved.includes(name));
  return taken.length === 0
    ? null
    : fault(
        "authorizationParams",
        `${taken.join(", ")} cannot be set here`,
        "Use the option of that name; state, nonce and PKCE are new for each sign-in.",
        taken.join(", "),
      );
};

const promptAllowsMaxAge: Rule = ({ authorizationParams, maxAge }) =>
  maxAge === 0 && authorizationParams["prompt"]?.split(" ").includes("none") === true
    ? fault(
        "maxAge",
        "0 asks the person every time, and the prompt none forbids that",
        "Leave one of them out.",
        maxAge,
      )
    : null;

const routesPrefixIsNoRoot: Rule = ({ routes }) =>
  routes.prefix === "/"
    ? fault(
        "routes.prefix",
        "must be a path of its own",
        "Choose a prefix that nothing else uses, such as /api/auth.",
        routes.prefix,
      )
    : null;

const routesDiffer: Rule = (settings) => {
  const { prefix: _itsOwn, callback, ...others } = routesOf(settings);
  return Object.values(others).includes(callback)
    ? fault(
        "routes.callback",
        "is the path of another route",
        "Choose another path, or leave it out.",
        callback,
      )
    : null;
};

const pagesPrefixIsSeparate: Rule = ({ pagesPrefix, routes }) =>
  pagesPrefix === routes.prefix || pagesPrefix === "/"
    ? fault(
        "pagesPrefix",
        "must be a path of its own",
        "Choose a prefix that nothing else uses, such as /_auth.",
        pagesPrefix,
      )
    : null;

const lifetime = ["session.rolling", "session.rollingDuration", "session.absoluteDuration"];
const clientAuthentication = [
  "clientAuthMethod",
  "clientSecret",
  "clientAssertionSigningKey",
  "responseType",
  "pushedAuthorizationRequests",
];

/** Every rule that looks at more than one setting; each reports at most one fault. */
export const rules: readonly RuleOver[] = [
  { reads: ["baseURL", "routes"], rule: baseURLIsNoRoute },
  { reads: ["issuerBaseURL"], rule: issuerIsSecure },
  { reads: ["issuerBaseURL"], rule: issuerIsNoDocument },
  { reads: ["responseType", "responseMode"], rule: responseModeFits },
  { reads: ["responseType", "responseMode", "baseURL"], rule: formPostNeedsHttps },
  { reads: ["idTokenSigningAlg", "clientSecret"], rule: hmacNeedsSecret },
  { reads: clientAuthentication, rule: clientAuthNeedsSecret },
  { reads: ["clientAuthMethod", "clientAssertionSigningKey"], rule: privateKeyPresent },
  ...cookieRules,
  { reads: lifetime, rule: rollingDurationFits },
  { reads: lifetime, rule: sessionsEnd },
  { reads: [...lifetime, "session.renewAfter"], rule: renewalPrecedesEnd },
  needsStore("backchannelLogout", rememberEnds, (settings) => settings.backchannelLogout),
  needsStore("frontchannelLogout", rememberEnds, (settings) => settings.frontchannelLogout),
  needsStore("session.stateful", "keep sessions in", ({ session }) => session.stateful),
  needsStore("session.networkFrom", "keep networks in", ({ session }) => session.networkFrom),
  { reads: ["authorizationParams"], rule: noReservedParameters },
  { reads: ["authorizationParams", "maxAge"], rule: promptAllowsMaxAge },
  { reads: ["routes.prefix"], rule: routesPrefixIsNoRoot },
  { reads: ["routes", "pagesPrefix"], rule: routesDiffer },
  { reads: ["pagesPrefix", "routes.prefix"], rule: pagesPrefixIsSeparate },
];
