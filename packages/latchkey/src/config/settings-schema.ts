import * as v from "valibot";

import { isJSONObject, parseJSON } from "../crypto/json-object.ts";
import { asciiAddress, asciiDestination, asciiDomain } from "./ascii-address.ts";
import { hostName } from "./host-name.ts";
import { comparableDomain, emailDomainForm } from "./email-domain.ts";
import {
  absoluteDurationSeconds,
  clockToleranceSeconds,
  cookieHeaderLimit,
  filteredClaims,
  httpTimeoutMs,
} from "./constants.ts";
import type { ConnectionOptions } from "./connection-options.ts";
import { parameterNameForm } from "./protocol-parameters.ts";
import type { Settings } from "./settings.ts";
import { isCommand, isPlaceholder } from "./placeholder.ts";
import { asymmetricAlgorithms, symmetricAlgorithms } from "./signing-algorithms.ts";

const boolean = v.boolean("must be true or false");
const anyText = v.string("must be text");
const text = v.pipe(anyText, v.nonEmpty("is not allowed to be empty"));
const visibleText = v.pipe(
  text,
  v.check(
    (value) => invisibleFault(value) === null,
    ({ input }) => invisibleFault(input) ?? "",
  ),
);
const secretText = v.pipe(
  text,
  v.check(({ length }) => length === 0 || length >= 8, "length must be at least 8 characters long"),
);
const notNegative = v.minValue<number, 0, string>(0, "must not be negative");
const wholeNumber = v.pipe(v.number("must be a whole number"), v.integer("must be a whole number"));
const wholeSeconds = v.pipe(
  v.number("must be a number of seconds"),
  v.integer("must be a whole number of seconds"),
);
const seconds = v.pipe(wholeSeconds, v.minValue(1, "must be at least 1 second"));
const optionalSeconds = v.union(
  [seconds, v.literal(false)],
  "must be a number of seconds, or false",
);
const relativePath = v.pipe(
  v.string("must be a valid relative uri"),
  v.regex(/^\/(?!\/)[\w\-./~]*$/, "must be a valid relative uri"),
);
/** A rule explains a pattern better. */
const pathOrPattern = v.pipe(
  v.string("must be a valid relative uri"),
  v.regex(/^\/(?!\/)[\w\-./~*+:()[\]{}|^$\\]*$/, "must be a valid relative uri"),
);
const goodAddress = v.check<string, (issue: v.CheckIssue<string>) => string>(
  (value) => addressFault(value) === null,
  ({ input }) => addressFault(input) ?? "",
);
const webAddress = v.pipe(
  v.string("must be a valid uri"),
  goodAddress,
  v.check(isBareAddress, "must have no query, no fragment, no user name and no password"),
);
const addressWithQuery = v.pipe(
  v.string("must be a valid uri"),
  goodAddress,
  v.check(
    (value) => isBareAddress(value.replace(/\?[^#]*/, "")),
    "must have no fragment, no user name and no password",
  ),
);
const webOrigin = v.pipe(
  webAddress,
  v.check(
    (value) => !isWebAddress(value) || new URL(value).pathname === "/",
    "must be an origin such as https://wiki.example.com, without a path",
  ),
  v.transform((value) => (isWebAddress(value) ? new URL(value).origin : value)),
);
/** As section 2 of RFC 8707 has it. */
const resourceIndicator = v.pipe(
  anyText,
  v.check(
    (value) => URL.parse(value)?.hash === "" && !value.includes("#"),
    "must be an absolute address without a fragment",
  ),
);
/** A slash at its end would stand twice before what follows it. */
const prefixPath = v.pipe(relativePath, v.regex(/^\/$|[^/]$/, "must not end with a slash"));
const parameterName = v.pipe(text, v.regex(parameterNameForm, "is no name of a parameter"));
const headerName = /^[\w!#$%&'*+.^`|~-]+$/;
/** In a variable, JSON or a list with other marks between the names makes one name of several. */
const claimName = textLike(/^[^\s"'[\]{},;]+$/, "is no name of a claim");
const cookieName = textLike(
  /^[\w-]+$/,
  "must only contain alpha-numeric characters, underscores and hyphens",
);
const sameSite = oneOf("lax", "strict", "none");
const domain = v.pipe(
  anyText,
  v.transform(asciiDomain),
  v.regex(/^\.?[a-z\d]([a-z\d.-]*[a-z\d])?$/i, "must be a domain"),
);
/** As it stands in an address, behind the `@`. */
const emailDomain = v.pipe(
  anyText,
  v.transform(comparableDomain),
  v.regex(emailDomainForm, "must be a domain"),
);
const spaceless = textLike(/^\S+$/, "must be one word");
const cookieEntries = {
  domain: v.optional(domain),
  path: v.optional(relativePath, "/"),
  secure: v.optional(boolean),
};

function textLike(form: RegExp, message: string) {
  return v.pipe(anyText, v.regex(form, message));
}

function oneOf<const Options extends readonly string[]>(...options: Options) {
  return v.picklist(options, `must be one of [${options.join(", ")}]`);
}

function addressFault(value: string): string | null {
  const invisibleCharacter = invisibleFault(value);
  if (invisibleCharacter !== null) return invisibleCharacter;
  if (!isOneAddress(value)) return "must be the address of one host, without a comma, a space or *";
  return isWebAddress(value) ? null : "must be a valid uri";
}

/** Of a list of addresses, the host has the comma or the space. */
function isOneAddress(value: string): boolean {
  const [, host = ""] = /^https?:\/\/([^/?#]*)/i.exec(value.trim()) ?? [];
  return !/[ ,;|*]/.test(host) && !/[ ,;|]+https?:\/\//i.test(value);
}

function isWebAddress(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

function isBareAddress(value: string): boolean {
  if (!isWebAddress(value)) return true;
  const { search, hash, username, password } = new URL(value);
  return search + hash + username + password === "";
}

const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

/** Copied with a value, such a character makes two values that look the same and are not. */
function invisibleFault(value: string): string | null {
  const found = invisible.exec(value);
  if (found === null) return null;
  const number = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `has an invisible character, U+${number}, at place ${found.index + 1}`;
}

function isWordOf(words: string, word: string): boolean {
  return words.split(" ").includes(word);
}

/** A comma between two scopes, and not inside of one. */
function hasNoCommas(scope: string): boolean {
  const isList = !isWordOf(scope, "openid") && isWordOf(scope.replaceAll(",", " "), "openid");
  return !isList && !/,(?: |$)|(?:^| ),/.test(scope);
}

/** Files with variables often have a key in one line, with its line breaks written out. */
function withLineBreaks(key: string): string {
  return key.trimStart().startsWith("-----BEGIN") ? key.replaceAll(/(?:\\r)?\\n/g, "\n") : key;
}

/** By its form alone: whether it can sign shows at the start. */
function isPrivateKey(value: string): boolean {
  if (value.trimStart().startsWith("-----BEGIN PRIVATE KEY-----")) return true;
  const jwk = parseJSON(value);
  return isJSONObject(jwk) && "kty" in jwk && "d" in jwk;
}

/** A path that stays below the base URL, or an absolute address. */
function isDestination(value: string): boolean {
  return (
    value === "" || /^\/(?!\/)/.test(value) || (/^https?:\/\//i.test(value) && URL.canParse(value))
  );
}

const colorSchema = v.strictObject({
  accent: v.optional(
    textLike(
      /^#[\da-f]{6}([ ,]+#[\da-f]{6})?$/i,
      "must be one color like #0b6e5f, or two: light, then dark",
    ),
    "#0b6e5f #4cc9ae",
  ),
});

const sessionSchema = v.strictObject(
  {
    name: v.optional(cookieName, "appSession"),
    stateful: v.optional(boolean),
    rolling: v.optional(boolean, true),
    rollingDuration: v.optional(optionalSeconds),
    absoluteDuration: v.optional(optionalSeconds, absoluteDurationSeconds),
    renewAfter: v.optional(v.pipe(v.number("must be a number of seconds"), notNegative), 0),
    storeIDToken: v.optional(boolean, true),
    maxCookieBytes: v.optional(
      v.pipe(v.number("must be a number of bytes"), v.minValue(4096, "must be at least 4096")),
      cookieHeaderLimit,
    ),
    requireIssuer: v.optional(boolean, false),
    networkFrom: v.optional(textLike(headerName, "must be socket, or the name of a header")),
    deviceBound: v.optional(oneOf("off", "observe", "enforce"), "off"),
    cookie: v.optional(
      v.strictObject(
        {
          ...cookieEntries,
          sameSite: v.optional(sameSite, "lax"),
          transient: v.optional(boolean, false),
        },
        "must be an object",
      ),
      {},
    ),
  },
  "must be an object",
);

const transactionCookieSchema = v.strictObject(
  {
    ...cookieEntries,
    name: v.optional(cookieName, "auth_verification"),
    sameSite: v.optional(sameSite, "lax"),
  },
  "must be an object",
);

const routesSchema = v.strictObject(
  {
    prefix: v.optional(prefixPath, "/api/auth"),
    login: v.optional(relativePath),
    callback: v.optional(relativePath),
    postLogoutRedirect: v.optional(
      v.pipe(
        anyText,
        v.check(isDestination, "must be a path of the app, or an absolute http(s) address"),
        v.transform((value) => (isDestination(value) ? asciiDestination(value) : value)),
      ),
    ),
  },
  "must be an object",
);

/** Which users a connection is for. */
const choiceEntries = {
  label: v.optional(visibleText),
  domains: v.optional(v.array(emailDomain, "must be a list of domains"), []),
  otherEmails: v.optional(oneOf("refuse", "admit")),
  revealDomains: v.optional(boolean, true),
  hosts: v.optional(v.array(hostName, "must be a list of hosts"), []),
  hidden: v.optional(boolean, false),
  acr: v.optional(v.array(spaceless, "must be a list of classes"), []),
};

/** The settings of a connection: of one client at one issuer, and what we request of it. */
export const connectionEntries = {
  ...choiceEntries,
  issuerBaseURL: webAddress,
  metadataURL: v.optional(addressWithQuery),
  tenants: v.optional(
    v.pipe(
      v.array(textLike(/^[\w-]{1,64}$/, "is no id of a tenant"), "must be a list of tenant ids"),
      v.minLength(1, "is not allowed to be empty"),
    ),
  ),
  clientID: visibleText,
  clientSecret: v.optional(visibleText),
  clientAuthMethod: v.optional(
    v.picklist(
      ["client_secret_basic", "client_secret_post", "client_secret_jwt", "private_key_jwt"],
      "must be one of [client_secret_basic, client_secret_post, client_secret_jwt, private_key_jwt]; public clients are not supported",
    ),
  ),
  clientAssertionSigningKey: v.optional(
    v.pipe(
      text,
      v.transform(withLineBreaks),
      v.check(isPrivateKey, "must be a private key: PKCS #8 as PEM, or a JWK as JSON"),
    ),
  ),
  clientAssertionSigningAlg: v.optional(
    v.picklist(asymmetricAlgorithms, "is not a supported algorithm"),
    "RS256",
  ),
  responseType: v.optional(oneOf("id_token", "code id_token", "code"), "code"),
  responseMode: v.optional(oneOf("query", "form_post")),
  scope: v.optional(
    v.pipe(
      anyText,
      v.check(hasNoCommas, "has commas, and scopes have spaces between them"),
      v.check((scope) => !hasNoCommas(scope) || isWordOf(scope, "openid"), "must contain openid"),
    ),
    "openid profile email",
  ),
  maxAge: v.optional(v.pipe(wholeSeconds, notNegative)),
  resources: v.optional(v.array(resourceIndicator, "must be a list of addresses"), []),
  authorizationParams: v.optional(
    v.record(parameterName, anyText, "must be an object of parameters"),
    {},
  ),
  loginParams: v.optional(v.array(parameterName, "must be a list of parameters"), []),
  organization: v.optional(text),
  pushedAuthorizationRequests: v.optional(boolean),
  idTokenSigningAlg: v.optional(
    v.picklist([...asymmetricAlgorithms, ...symmetricAlgorithms], "contains an invalid value"),
    "RS256",
  ),
  trustedAudiences: v.optional(v.array(text, "must be a list of audiences"), []),
  clockTolerance: v.optional(
    v.pipe(v.number("must be a number"), notNegative),
    clockToleranceSeconds,
  ),
  httpTimeout: v.optional(
    v.pipe(v.number("must be a number"), v.minValue(1, "must be at least 1")),
    httpTimeoutMs,
  ),
  userinfo: v.optional(oneOf("auto", "always", "never"), "auto"),
  refetchUserinfo: v.optional(boolean, false),
  identityClaimFilter: v.optional(
    v.array(claimName, "must be a list of claim names"),
    filteredClaims,
  ),
  idpLogout: v.optional(boolean, true),
  backchannelLogout: v.optional(boolean, false),
  backchannelLogoutStatus: v.optional(v.picklist([200, 204], "must be 200 or 204"), 204),
  frontchannelLogout: v.optional(boolean, false),
};

/** The settings of a connection beside that of the flat settings. */
export const connectionSchema = v.strictObject(
  {
    ...connectionEntries,
    uses: v.optional(text),
    callback: v.optional(oneOf("own", "shared"), "own"),
    session: v.optional(
      v.strictObject(
        { rollingDuration: v.optional(seconds), absoluteDuration: v.optional(seconds) },
        "must be an object",
      ),
      {},
    ),
  },
  "must be an object of settings",
);

/** One base URL. */
export const baseURLSchema = v.pipe(
  webAddress,
  v.transform((value) => (isWebAddress(value) ? asciiAddress(value) : value)),
);

/**
 * Every setting with its rule and its default. What a setting is for stands in `Settings`; its
 * variable in the environment is derived from its place here.
 */
export const settingsSchema = v.strictObject({
  secret: v.pipe(
    v.custom<string | string[]>(() => true),
    v.check((value) => !isCommand(value), "is a command, and no shell has run it"),
    v.check((value) => !isPlaceholder(value), "is still the placeholder of an example"),
    v.union(
      [secretText, v.pipe(v.array(secretText), v.minLength(1, "is not allowed to be empty"))],
      "must be text, or a list of texts",
    ),
  ),
  baseURL: baseURLSchema,
  hostHeader: v.optional(textLike(headerName, "must be the name of a header")),
  ...connectionEntries,
  connections: v.optional(v.custom<Readonly<Record<string, ConnectionOptions>>>(() => true)),
  identity: v.optional(oneOf("issuer+sub")),
  streams: v.optional(v.pipe(wholeNumber, notNegative), 0),
  clientAddressHeader: v.optional(textLike(headerName, "must be the name of a header")),
  production: v.optional(boolean),
  preset: v.optional(oneOf("hardened")),
  instances: v.optional(v.pipe(wholeNumber, v.minValue(1, "must be at least 1"))),
  activity: v.optional(boolean, false),
  appName: v.optional(text),
  color: v.optional(colorSchema, {}),
  session: v.optional(sessionSchema, {}),
  transactionCookie: v.optional(transactionCookieSchema, {}),
  routes: v.optional(routesSchema, {}),
  pagesPrefix: v.optional(prefixPath, "/_auth"),
  publicPaths: v.optional(v.array(pathOrPattern, "must be a list of paths"), []),
  checkOrigin: v.optional(boolean, false),
  returnToOrigins: v.optional(v.array(webOrigin, "must be a list of origins"), []),
}) satisfies v.GenericSchema<Settings>;

/** The settings with every default in place. */
export interface ResolvedSettings extends v.InferOutput<typeof settingsSchema> {}
