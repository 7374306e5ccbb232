import { rollingDurationSeconds } from "../constants.ts";
import { isProtocolParameter, loginRouteParameters } from "../protocol-parameters.ts";
import { fixedPaths, routesOf } from "../routes.ts";
import type { ResolvedSettings } from "../settings-schema.ts";
import { cookieRules } from "./cookie-rules.ts";
import { isHttps, isLoopback, type Rule } from "./rule.ts";
import { basePathOf } from "../site.ts";

/** The route of ours at the end of the base URL. */
function routeIn({ baseURL, routes: { prefix, callback } }: ResolvedSettings): string | undefined {
  const path = basePathOf(baseURL);
  return [callback ?? `${prefix}/callback`, prefix].find((each) => path.endsWith(each));
}

/** In the clouds of Microsoft; what stands before and after the tenant. */
const addressOfTenants =
  /^(https:\/\/(?:login\.(?:partner\.)?microsoftonline\.\w+|login\.windows\.net|sts\.windows\.net)\/)(?:common|organizations)(\/.*)?$/i;

function isAddressOfTenants(issuer: string): boolean {
  return addressOfTenants.test(issuer);
}

const clientAuthentication = [
  "clientAuthMethod",
  "clientAssertionSigningKey",
  "responseType",
  "pushedAuthorizationRequests",
];

function needsClientSecret(settings: ResolvedSettings): boolean {
  const { clientAuthMethod, clientAssertionSigningKey, responseType } = settings;
  if (clientAuthMethod !== undefined) return clientAuthMethod !== "private_key_jwt";
  const authenticates =
    responseType !== "id_token" || settings.pushedAuthorizationRequests === true;
  return authenticates && clientAssertionSigningKey === undefined;
}

const lifetime = ["session.rolling", "session.rollingDuration", "session.absoluteDuration"];

/** `max_age` has an option of its own. */
function reservedIn({ authorizationParams }: ResolvedSettings): string {
  return Object.keys(authorizationParams)
    .filter((name) => name === "max_age" || isProtocolParameter(name))
    .join(", ");
}

/** Allowed parameters which no link may set. */
function forbiddenIn({ loginParams }: ResolvedSettings): string {
  const isOurs = (name: string) => loginRouteParameters.some((own) => own === name);
  return loginParams.filter((name) => isProtocolParameter(name) || isOurs(name)).join(", ");
}

function patternIn(paths: readonly string[]): string | undefined {
  return paths.find((each) => patternCharacter.test(each));
}

/** What routers and shells write in a pattern. */
const patternCharacter = /[*+:()[\]{}|^$\\]/;

function withoutPattern(pattern: string): string {
  const folder = pattern.slice(0, pattern.search(patternCharacter)).replace(/[^/]*$/, "");
  return folder === "/"
    ? "List the public paths, such as /about or /assets/: / is the front page alone."
    : `Write ${folder} for everything below this path.`;
}

/** @param isOn - whether the settings need a store */
function needsStore(
  option: string,
  purpose: string,
  isOn: (settings: ResolvedSettings) => boolean,
): Rule {
  const otherwise = option === "session.networkFrom" ? "leave it out" : "set it to false";
  return {
    option,
    isBroken: (settings, { hasStore }) => !hasStore && isOn(settings),
    message: `needs a store to ${purpose}`,
    remedy: `Give a store (LATCHKEY_STORE=sqlite:<file>), or ${otherwise}.`,
  };
}

const setPrivateKey = "Set the private key, as PKCS #8 PEM or as a JWK.";
const orSecretUnderPreset =
  "The preset hardened wants it. If your provider knows secrets only, set LATCHKEY_CLIENT_AUTH_METHOD=client_secret_basic.";

const rememberEnds = "remember which sessions have ended";

const takenPath = {
  others: ["routes", "pagesPrefix"],
  message: "is the path of another route",
  remedy: "Choose another path, or leave it out.",
};

/** Every rule over more than one setting; each reports at most one fault. */
export const rules: readonly Rule[] = [
  {
    option: "baseURL",
    others: ["routes"],
    isBroken: (settings) => routeIn(settings) !== undefined,
    message: "is the address of a route of sign-in, not of the app",
    remedy: (settings) =>
      `Leave out ${routeIn(settings)}: the routes are found below the base URL.`,
  },
  {
    option: "issuerBaseURL",
    isBroken: ({ issuerBaseURL }) => !isHttps(issuerBaseURL) && !isLoopback(issuerBaseURL),
    message: "must be https, except on this machine itself",
    remedy: "Use the https address of the provider.",
  },
  {
    option: "issuerBaseURL",
    isBroken: ({ issuerBaseURL }) => issuerBaseURL.includes("/.well-known/"),
    message: "is the address of the metadata, not the issuer",
    remedy:
      "Leave out /.well-known/ and what follows it. If the metadata name another issuer, set that one, and LATCHKEY_METADATA_URL to this address.",
  },
  {
    option: "metadataURL",
    others: ["issuerBaseURL"],
    isBroken: ({ metadataURL, issuerBaseURL }) =>
      metadataURL !== undefined && !isHttps(metadataURL) && isHttps(issuerBaseURL),
    message: "must be https, except for an issuer on this machine",
    remedy: "Use an https address of the provider.",
  },
  {
    option: "issuerBaseURL",
    isBroken: ({ issuerBaseURL }) => /[{}<>]|%7B|%3C/i.test(issuerBaseURL),
    message: "has a placeholder in it",
    remedy:
      "Write the id of your tenant in its place. For users of several tenants of Entra ID, use https://login.microsoftonline.com/organizations/v2.0 and LATCHKEY_TENANTS.",
  },
  {
    option: "issuerBaseURL",
    others: ["tenants"],
    isBroken: ({ issuerBaseURL, tenants }) =>
      tenants === undefined && isAddressOfTenants(issuerBaseURL),
    message: "is the address of every tenant of Entra ID",
    remedy: ({ issuerBaseURL }) =>
      `Use the address of your tenant, ${issuerBaseURL.replace(addressOfTenants, "$1<tenant id>$2")}; or set LATCHKEY_TENANTS to the ids of the tenants whose users may sign in.`,
  },
  {
    option: "tenants",
    isBroken: ({ tenants = [] }) => tenants.length > 1 && tenants.includes("any"),
    message: "has any beside the ids of tenants",
    remedy: "Leave out any, or the ids.",
  },
  {
    option: "responseMode",
    others: ["responseType"],
    isBroken: ({ responseType, responseMode }) =>
      responseType !== "code" && responseMode === "query",
    message: "must be [form_post]",
    remedy: ({ responseType }) =>
      `Response type ${responseType} returns by form_post only: leave this option out, or set form_post.`,
  },
  {
    option: "responseMode",
    others: ["responseType", "baseURL"],
    isBroken: ({ responseType, responseMode, baseURL }) =>
      (responseType !== "code" || responseMode === "form_post") &&
      !isHttps(baseURL) &&
      !isLoopback(baseURL),
    message:
      "form_post needs an https base URL: browsers send cookies with a cross-site POST only over https",
    remedy: "Use an https base URL, or response type code with response mode query.",
    seen: ({ responseMode = "form_post" }) => responseMode,
  },
  {
    option: "clientSecret",
    others: ["idTokenSigningAlg"],
    isBroken: ({ idTokenSigningAlg, clientSecret }) =>
      idTokenSigningAlg.startsWith("HS") && clientSecret === undefined,
    message: "is required for ID tokens with HMAC based algorithms",
    remedy: "Set the client secret, or choose another ID token algorithm.",
  },
  {
    option: "clientSecret",
    others: clientAuthentication,
    isBroken: (settings, { hasSessions = true }) =>
      hasSessions && settings.clientSecret === undefined && needsClientSecret(settings),
    message: ({ clientAuthMethod = "client_secret_basic" }) =>
      `is required for the clientAuthMethod ${clientAuthMethod}`,
    remedy: "Set the client secret that the provider gave you; public clients are not supported.",
  },
  {
    option: "clientAssertionSigningKey",
    others: ["clientAuthMethod"],
    isBroken: ({ clientAuthMethod, clientAssertionSigningKey }) =>
      clientAuthMethod === "private_key_jwt" && clientAssertionSigningKey === undefined,
    message: 'is required for a "clientAuthMethod" of "private_key_jwt"',
    remedy: ({ preset }) =>
      preset === undefined ? setPrivateKey : `${setPrivateKey} ${orSecretUnderPreset}`,
  },
  ...cookieRules,
  {
    option: "session.rollingDuration",
    others: lifetime,
    isBroken: ({ session }) => session.rolling && session.rollingDuration === false,
    message: 'must be provided an integer value when "session.rolling" is true',
    remedy: "Set a number of seconds, or set rolling to false.",
  },
  {
    option: "session.rollingDuration",
    others: lifetime,
    isBroken: ({ session }) => !session.rolling && typeof session.rollingDuration === "number",
    message: 'must be false when "session.rolling" is disabled',
    remedy: "Leave it out, or set rolling to true.",
  },
  {
    option: "session.absoluteDuration",
    others: lifetime,
    isBroken: ({ session }) => !session.rolling && session.absoluteDuration === false,
    message: 'must be provided an integer value when "session.rolling" is false',
    remedy: "Set a number of seconds.",
  },
  {
    option: "session.renewAfter",
    others: lifetime,
    isBroken({ session: { rolling, rollingDuration = rollingDurationSeconds, renewAfter } }) {
      return rolling && rollingDuration !== false && renewAfter >= rollingDuration;
    },
    message: ({ session: { rollingDuration = rollingDurationSeconds } }) =>
      `must be less than the rolling duration of ${rollingDuration} seconds`,
    remedy: "Choose a smaller number: with this one no use would prolong a session.",
  },
  needsStore("backchannelLogout", rememberEnds, (settings) => settings.backchannelLogout),
  needsStore("frontchannelLogout", rememberEnds, (settings) => settings.frontchannelLogout),
  needsStore("activity", "keep the activity of users", (settings) => settings.activity),
  needsStore("session.stateful", "keep sessions in", ({ session }) => session.stateful === true),
  needsStore("session.networkFrom", "keep networks in", ({ session }) => {
    return session.networkFrom !== undefined;
  }),
  {
    option: "session.deviceBound",
    others: ["baseURL"],
    isBroken: ({ session, baseURL }) => session.deviceBound !== "off" && !isHttps(baseURL),
    message: "needs an https base URL: browsers bind no session elsewhere",
    remedy: "Set it for an app under https, or set it to off.",
  },
  {
    option: "session.deviceBound",
    others: ["session.cookie.domain"],
    isBroken: ({ session }) => session.deviceBound !== "off" && session.cookie.domain !== undefined,
    message: "needs a session cookie of one host",
    remedy: "Leave out session.cookie.domain, or set session.deviceBound to off.",
  },
  {
    option: "authorizationParams",
    isBroken: (settings) => reservedIn(settings) !== "",
    message: (settings) => `${reservedIn(settings)} cannot be set here`,
    remedy: "Use the option of that name; state, nonce and PKCE are new for each sign-in.",
    seen: reservedIn,
  },
  {
    option: "loginParams",
    isBroken: (settings) => forbiddenIn(settings) !== "",
    message: (settings) => `${forbiddenIn(settings)} cannot be set for one login`,
    remedy: "Leave it out: the sign-in itself decides it.",
    seen: forbiddenIn,
  },
  {
    option: "maxAge",
    others: ["authorizationParams"],
    isBroken: ({ authorizationParams, maxAge }) =>
      maxAge === 0 && authorizationParams["prompt"]?.split(" ").includes("none") === true,
    message: "0 asks the person every time, and the prompt none forbids that",
    remedy: "Leave one of them out.",
  },
  {
    option: "otherEmails",
    others: ["domains"],
    isBroken: ({ otherEmails, domains }) => otherEmails !== undefined && domains.length === 0,
    message: "needs domains: without them, every address is one of others",
    remedy: "Set LATCHKEY_DOMAINS to those of the users, or leave it out.",
  },
  {
    option: "publicPaths",
    isBroken: ({ publicPaths }) => patternIn(publicPaths) !== undefined,
    message: "has a pattern in it, and takes paths",
    remedy: ({ publicPaths }) => withoutPattern(patternIn(publicPaths) ?? "/…/*"),
    seen: ({ publicPaths }) => patternIn(publicPaths) ?? "",
  },
  {
    option: "routes.prefix",
    isBroken: ({ routes }) => routes.prefix === "/",
    message: "must be a path of its own",
    remedy: "Choose a prefix that nothing else uses, such as /api/auth.",
  },
  {
    ...takenPath,
    option: "routes.login",
    isBroken(settings) {
      const { prefix, login } = routesOf(settings);
      return [`${prefix}/callback`, ...fixedPaths(settings)].includes(login);
    },
    seen: (settings) => routesOf(settings).login,
  },
  {
    ...takenPath,
    option: "routes.callback",
    isBroken(settings) {
      const { login, callback, postLogoutRedirect } = routesOf(settings);
      const isOfLogin = settings.routes.callback === login;
      return isOfLogin || [postLogoutRedirect, ...fixedPaths(settings)].includes(callback);
    },
    seen: (settings) => routesOf(settings).callback,
  },
  {
    option: "pagesPrefix",
    others: ["routes.prefix"],
    isBroken: ({ pagesPrefix, routes }) => pagesPrefix === routes.prefix || pagesPrefix === "/",
    message: "must be a path of its own",
    remedy: "Choose a prefix that nothing else uses, such as /_auth.",
  },
];
