import * as v from "valibot";

import {
  absoluteDurationSeconds,
  clockToleranceSeconds,
  cookieHeaderLimit,
  filteredClaims,
  httpTimeoutMs,
} from "./constants.ts";

const asymmetric = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
] as const;
const symmetric = ["HS256", "HS384", "HS512"] as const;

const sameSite = v.picklist(["lax", "strict", "none"], "must be one of [lax, strict, none]");
const text = v.pipe(v.string("must be text"), v.nonEmpty("is not allowed to be empty"));
const flag = v.boolean("must be true or false");
const seconds = v.pipe(
  v.number("must be a number of seconds"),
  v.integer("must be a whole number of seconds"),
  v.minValue(1, "must be at least 1 second"),
);
const optionalSeconds = v.union(
  [seconds, v.literal(false)],
  "must be a number of seconds, or false",
);
const relativePath = v.pipe(
  v.string("must be a valid relative uri"),
  v.regex(/^\/(?!\/)[\w\-./~]*$/, "must be a valid relative uri"),
);
const cookieName = v.pipe(
  v.string("must be text"),
  v.regex(/^\w+$/, "must only contain alpha-numeric and underscore characters"),
);
const webAddress = v.pipe(
  v.string("must be a valid uri"),
  v.check(isWebAddress, "must be a valid uri"),
  v.transform((value: string) => value),
);
const secretText = v.pipe(
  v.string("must be text"),
  v.nonEmpty("is not allowed to be empty"),
  v.check(({ length }) => length === 0 || length >= 8, "length must be at least 8 characters long"),
);

function isWebAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, search, hash, username } = new URL(value);
  return /^https?:$/.test(protocol) && search + hash + username === "";
}

/** A path that stays below the base URL when it is put behind it, or an address of its own. */
function isDestination(value: string): boolean {
  return (
    value === "" || /^\/(?!\/)/.test(value) || (/^https?:\/\//i.test(value) && URL.canParse(value))
  );
}

function about<T extends v.GenericSchema>(
  sentence: string,
  schema: T,
): v.SchemaWithPipe<readonly [T, v.DescriptionAction<v.InferOutput<T>, string>]> {
  return v.pipe(schema, v.description(sentence));
}

const cookieEntries = {
  domain: v.optional(about("Domain of the cookie; by default the host alone.", text)),
  path: v.optional(about("Path of the cookie.", relativePath), "/"),
  secure: v.optional(
    about("`Secure` attribute: by default true for https base URLs, false for http.", flag),
  ),
};

/**
 * Every setting with its rule, its default and one sentence: environment, validation and the options table of
 * the docs are all made from this.
 */
export const settingsSchema = v.strictObject({
  secret: about(
    "Seals the cookies. Several secrets may be given: the first writes, all are tried for reading.",
    v.union(
      [secretText, v.pipe(v.array(secretText), v.minLength(1, "is not allowed to be empty"))],
      "must be text, or a list of texts",
    ),
  ),
  baseURL: about("Where people reach the app.", webAddress),
  issuerBaseURL: about("The provider: exactly the issuer that it calls itself.", webAddress),
  clientID: about("The client ID that the provider gave this app.", text),
  clientSecret: v.optional(about("The client secret.", text)),
  clientAuthMethod: v.optional(
    about(
      "How the app proves itself to the provider; by default `client_secret_basic`, or `private_key_jwt` with a signing key.",
      v.picklist(
        ["client_secret_basic", "client_secret_post", "client_secret_jwt", "private_key_jwt"],
        "must be one of [client_secret_basic, client_secret_post, client_secret_jwt, private_key_jwt]; public clients are not supported",
      ),
    ),
  ),
  clientAssertionSigningKey: v.optional(
    about("Private key for `private_key_jwt`: PKCS #8 PEM, or a JWK as JSON.", text),
  ),
  clientAssertionSigningAlg: v.optional(
    about("Algorithm of that key.", v.picklist(asymmetric, "is not a supported algorithm")),
    "RS256",
  ),
  responseType: v.optional(
    about(
      "OAuth response type.",
      v.picklist(
        ["code", "code id_token", "id_token"],
        "must be one of [id_token, code id_token, code]",
      ),
    ),
    "code",
  ),
  responseMode: v.optional(
    about(
      "How the provider answers: `query`, or `form_post` (needs https; the only one for types with `id_token`).",
      v.picklist(["query", "form_post"], "must be one of [query, form_post]"),
    ),
  ),
  scope: v.optional(
    about(
      "What to ask for; must contain `openid`.",
      v.pipe(
        v.string("must be text"),
        v.check((scope) => scope.split(" ").includes("openid"), "must contain openid"),
      ),
    ),
    "openid profile email",
  ),
  maxAge: v.optional(
    about(
      "Largest time in seconds since the person last proved who they are; 0 asks every time.",
      v.pipe(
        v.number("must be a number of seconds"),
        v.integer("must be a whole number of seconds"),
        v.minValue(0, "must not be negative"),
      ),
    ),
  ),
  authorizationParams: v.optional(
    about(
      "Further parameters of the authorization request, e.g. `audience` or `prompt`.",
      v.record(text, v.string("must be text")),
    ),
    {},
  ),
  organization: v.optional(
    about("Only people of this organization get in: an `org_…` id, or a name.", text),
  ),
  pushedAuthorizationRequests: v.optional(
    about("Send the authorization request from server to server first (RFC 9126).", flag),
    false,
  ),
  idTokenSigningAlg: v.optional(
    about(
      "The one algorithm with which ID tokens and logout tokens may be signed.",
      v.picklist([...asymmetric, ...symmetric], "contains an invalid value"),
    ),
    "RS256",
  ),
  trustedAudiences: v.optional(
    about(
      "Audiences that an ID token may name beside this client; a token for any other is refused.",
      v.array(text, "must be a list of audiences"),
    ),
    [],
  ),
  clockTolerance: v.optional(
    about(
      "Difference in seconds allowed between our clock and the provider's.",
      v.pipe(v.number("must be a number"), v.minValue(0, "must not be negative")),
    ),
    clockToleranceSeconds,
  ),
  httpTimeout: v.optional(
    about(
      "Milliseconds after which a call to the provider is given up.",
      v.pipe(v.number("must be a number"), v.minValue(1, "must be at least 1")),
    ),
    httpTimeoutMs,
  ),
  userinfo: v.optional(
    about(
      "Ask the userinfo endpoint at sign-in: `auto` where the ID token brings none of the claims asked for.",
      v.picklist(["auto", "always", "never"], "must be one of [auto, always, never]"),
    ),
    "auto",
  ),
  refetchUserinfo: v.optional(about("Ask the userinfo endpoint again on every `me`.", flag), false),
  identityClaimFilter: v.optional(
    about(
      "ID token claims that do not become part of `user`.",
      v.array(v.string("must be text"), "must be a list of claim names"),
    ),
    filteredClaims,
  ),
  idpLogout: v.optional(about("Logout also ends the session at the provider.", flag), true),
  backchannelLogout: v.optional(
    about("Accept logout tokens from the provider; needs a store.", flag),
    false,
  ),
  backchannelLogoutStatus: v.optional(
    about(
      "Status of a successful back-channel logout; some providers accept 200 only.",
      v.picklist([200, 204], "must be 200 or 204"),
    ),
    204,
  ),
  session: v.optional(
    v.strictObject({
      name: v.optional(about("Name of the session cookie.", cookieName), "appSession"),
      stateful: v.optional(
        about("Keep sessions in the store; the cookie then holds an id only.", flag),
        false,
      ),
      rolling: v.optional(about("Whether use keeps a session alive.", flag), true),
      rollingDuration: v.optional(
        about(
          "A session ends after so many seconds without use; 86400 while sessions roll.",
          optionalSeconds,
        ),
      ),
      absoluteDuration: v.optional(
        about(
          "A session ends after so many seconds in any case; `false` for never.",
          optionalSeconds,
        ),
        absoluteDurationSeconds,
      ),
      renewAfter: v.optional(
        about(
          "A session renewed less than so many seconds ago is not renewed again; 0 renews on each read.",
          v.pipe(v.number("must be a number of seconds"), v.minValue(0, "must not be negative")),
        ),
        0,
      ),
      storeIDToken: v.optional(
        about("Keep the ID token, as a hint for the provider at logout.", flag),
        true,
      ),
      maxCookieBytes: v.optional(
        about(
          "A session that needs more bytes of cookies than this is refused: at sign-in, and when the app updates it.",
          v.pipe(v.number("must be a number of bytes"), v.minValue(4096, "must be at least 4096")),
        ),
        cookieHeaderLimit,
      ),
      cookie: v.optional(
        v.strictObject({
          ...cookieEntries,
          sameSite: v.optional(about("`SameSite` attribute.", sameSite), "lax"),
          transient: v.optional(about("The cookie ends with the browser.", flag), false),
        }),
        {},
      ),
    }),
    {},
  ),
  transactionCookie: v.optional(
    v.strictObject({
      ...cookieEntries,
      name: v.optional(about("Name of the pending-login cookie.", cookieName), "auth_verification"),
      sameSite: v.optional(
        about("`SameSite` attribute; `none` with `form_post`, whatever is said here.", sameSite),
        "lax",
      ),
    }),
    {},
  ),
  routes: v.optional(
    v.strictObject({
      prefix: v.optional(about("Where the auth routes live.", relativePath), "/api/auth"),
      login: v.optional(about("Path of login; by default below the prefix.", relativePath)),
      callback: v.optional(
        about("Path of the callback; by default below the prefix.", relativePath),
      ),
      postLogoutRedirect: v.optional(
        about(
          "Where logout lands: a path of the app or an absolute address; by default the signed-out page.",
          v.pipe(
            v.string("must be text"),
            v.check(isDestination, "must be a path of the app, or an absolute http(s) address"),
          ),
        ),
      ),
    }),
    {},
  ),
  pagesPrefix: v.optional(
    about("Where pages for people and JSON for scripts live.", relativePath),
    "/_auth",
  ),
  publicPaths: v.optional(
    about(
      "Paths that need no sign-in: `/about` is that page alone, `/assets/` everything below.",
      v.array(relativePath, "must be a list of paths"),
    ),
    [],
  ),
});

/** The settings as an app gives them. */
export interface Settings extends v.InferInput<typeof settingsSchema> {}

/** The settings with all defaults in place. */
export interface ResolvedSettings extends v.InferOutput<typeof settingsSchema> {}
