import type { BehaviorName } from "@latchkey/provider/hostile";

/** What a module of the suite wants of the client. */
export const outcomes = {
  finish: "signs in, and calls userinfo once",
  "request claims": "requests claims by its scope, signs in, and calls userinfo once",
  stop: "signs no user in, and calls nothing more",
  "finish or stop": "signs in, or stops",
  "drop userinfo": "signs no user in after its call to userinfo",
  "request nothing": "makes no authorization request",
  "start for a third party": "makes an authorization request for its issuer, and signs in",
  refresh: "gets new tokens, and calls userinfo with the new access token",
  "refuse the refresh": "keeps its tokens, and calls nothing more",
  "return signed out": "sends hint and return address, and is signed out after its return",
  "answer 200": "answers a logout token with 200, after its own logout",
  "answer 400": "answers a logout token with 400, after its own logout",
  "load in a frame": "loads in a frame of the provider's page, after its own logout",
} as const;

export type Outcome = keyof typeof outcomes;

/** One test module of the suite, and the behavior of the hostile provider with the same fault. */
export interface Module {
  /** `testName` of the suite. */
  readonly name: string;
  readonly behavior: BehaviorName;
  readonly client: Outcome;
}

/** A test plan of the OpenID Foundation's conformance suite, and the app that passes it. */
export interface Plan {
  /** `testPlanName` of the suite. */
  readonly name: string;
  /** Its name in the list of certified relying parties; `null` if there is none. */
  readonly certificate: string | null;
  /** What to choose in the suite, beside `variants`. */
  readonly variants: Readonly<Record<string, string>>;
  /** Fields of the client in the suite's form, beside `fields`, with paths of the app. */
  readonly fields: Readonly<Record<string, string>>;
  /** Variables of the app, beside `variables`. */
  readonly variables: Readonly<Record<string, string>>;
  readonly modules: readonly Module[];
}

/** What to choose in the suite for each plan, if it lets one choose. */
export const variants = {
  client_auth_type: "client_secret_basic",
  client_registration: "static_client",
  request_type: "plain_http_request",
  response_type: "code",
  response_mode: "default",
} as const;

/** Fields of the client for each plan. */
export const fields = { redirect_uri: "/api/auth/callback" } as const;

/** For each plan: all of them count the calls to userinfo. */
export const variables = { LATCHKEY_USERINFO: "always" } as const;

const modules = (...rows: readonly (readonly [string, BehaviorName, Outcome])[]) =>
  rows.map(([name, behavior, client]): Module => ({ name, behavior, client }));

const unsigned = ["oidcc-client-test-idtoken-sig-none", "CERT-030", "stop"] as const;

const basic = modules(
  ["oidcc-client-test", "CERT-020/code", "finish"],
  ["oidcc-client-test-invalid-iss", "CERT-022", "stop"],
  ["oidcc-client-test-missing-sub", "CERT-025", "stop"],
  ["oidcc-client-test-invalid-aud", "CERT-023", "stop"],
  ["oidcc-client-test-missing-iat", "CERT-026", "stop"],
  ["oidcc-client-test-kid-absent-single-jwks", "CERT-034", "finish"],
  ["oidcc-client-test-kid-absent-multiple-jwks", "CERT-035", "finish or stop"],
  ["oidcc-client-test-idtoken-sig-rs256", "CERT-029", "finish"],
  unsigned,
  ["oidcc-client-test-invalid-sig-rs256", "CERT-031", "stop"],
  ["oidcc-client-test-userinfo-invalid-sub", "CERT-040", "drop userinfo"],
  ["oidcc-client-test-nonce-invalid", "CERT-027", "stop"],
  ["oidcc-client-test-scope-userinfo-claims", "CERT-043", "request claims"],
  ["oidcc-client-test-client-secret-basic", "CERT-021", "finish"],
);

const signedOut = { post_logout_redirect_uri: "/_auth/signed-out" } as const;
const backChannel = {
  fields: { ...signedOut, backchannel_logout_uri: "/api/auth/backchannel-logout" },
  variables: {
    LATCHKEY_STORE: "memory:",
    LATCHKEY_BACKCHANNEL_LOGOUT: "true",
    LATCHKEY_BACKCHANNEL_LOGOUT_STATUS: "200",
  },
} as const;

/** The plans of OpenID Connect that apply, in the order of the certificates. */
export const plans: readonly Plan[] = [
  {
    name: "oidcc-client-basic-certification-test-plan",
    certificate: "Basic RP",
    variants: {},
    fields: {},
    variables: {},
    modules: basic,
  },
  {
    name: "oidcc-client-formpost-basic-certification-test-plan",
    certificate: "Form Post RP",
    variants: { response_mode: "form_post" },
    fields: {},
    variables: { LATCHKEY_RESPONSE_MODE: "form_post" },
    modules: [...modules(["oidcc-client-test", "CERT-095", "finish"]), ...basic.slice(1)],
  },
  {
    name: "oidcc-client-config-certification-test-plan",
    certificate: "Config RP",
    variants: {},
    fields: {},
    variables: {},
    modules: modules(
      ["oidcc-client-test-discovery-openid-config", "CERT-060", "finish"],
      ["oidcc-client-test-discovery-jwks-uri-keys", "CERT-061", "finish"],
      ["oidcc-client-test-discovery-issuer-mismatch", "CERT-062", "request nothing"],
      unsigned,
      ["oidcc-client-test-signing-key-rotation-just-before-signing", "CERT-064", "finish"],
      ["oidcc-client-test-signing-key-rotation", "CERT-063", "finish"],
    ),
  },
  {
    name: "oidcc-client-test-3rd-party-init-login-test-plan",
    certificate: "3rd Party-Init RP",
    variants: {},
    fields: { initiate_login_uri: "/api/auth/login" },
    variables: {},
    modules: modules([
      "oidcc-client-test-3rd-party-init-login",
      "CERT-020/code",
      "start for a third party",
    ]),
  },
  {
    name: "oidcc-client-rp-initiated-logout-rp-basic",
    certificate: "RP-Initiated RP",
    variants: {},
    ...backChannel,
    modules: modules(
      ["oidcc-client-test-rp-init-logout", "CERT-070", "return signed out"],
      ["oidcc-client-test-rp-init-logout-other-state", "CERT-071", "return signed out"],
      ["oidcc-client-test-rp-init-logout-no-state", "CERT-072", "return signed out"],
    ),
  },
  {
    name: "oidcc-client-back-channel-logout-rp-basic",
    certificate: "Back-Channel RP",
    variants: {},
    ...backChannel,
    modules: modules(
      ["oidcc-client-test-rp-backchannel-rpinitlogout", "CERT-074", "answer 200"],
      ["oidcc-client-test-rp-backchannel-rpinitlogout-alg-none", "CERT-075", "answer 400"],
      ["oidcc-client-test-rp-backchannel-rpinitlogout-no-event", "CERT-080", "answer 400"],
      ["oidcc-client-test-rp-backchannel-rpinitlogout-with-nonce", "CERT-079", "answer 400"],
      ["oidcc-client-test-rp-backchannel-rpinitlogout-wrong-alg", "CERT-076", "answer 400"],
      ["oidcc-client-test-rp-backchannel-rpinitlogout-wrong-aud", "CERT-077", "answer 400"],
      ["oidcc-client-test-rp-backchannel-rpinitlogout-wrong-event", "CERT-081", "answer 400"],
      ["oidcc-client-test-rp-backchannel-rpinitlogout-wrong-iss", "CERT-078", "answer 400"],
    ),
  },
  {
    name: "oidcc-client-front-channel-logout-rp-basic",
    certificate: "Front-Channel RP",
    variants: {},
    fields: { ...signedOut, frontchannel_logout_uri: "/api/auth/frontchannel-logout" },
    variables: { LATCHKEY_STORE: "memory:", LATCHKEY_FRONTCHANNEL_LOGOUT: "true" },
    modules: modules([
      "oidcc-client-test-rp-frontchannel-rpinitlogout",
      "CERT-070",
      "load in a frame",
    ]),
  },
  {
    name: "oidcc-client-refreshtoken-test-plan",
    certificate: null,
    variants: {},
    fields: {},
    variables: { LATCHKEY_REFETCH_USERINFO: "true" },
    modules: modules(
      ["oidcc-client-test-refresh-token", "CERT-049", "refresh"],
      ["oidcc-client-test-refresh-token-invalid-issuer", "CERT-050", "refuse the refresh"],
      ["oidcc-client-test-refresh-token-invalid-sub", "CERT-051", "refuse the refresh"],
    ),
  },
];

const ofSessions: readonly Outcome[] = [
  "finish",
  "request claims",
  "stop",
  "finish or stop",
  "drop userinfo",
  "request nothing",
  "return signed out",
];

/** The behaviors whose effect on sign-in and sign-out, with a code, the plans show. */
export const playedBehaviors: ReadonlySet<BehaviorName> = new Set(
  plans
    .flatMap((plan) => plan.modules)
    .filter(({ client }) => ofSessions.includes(client))
    .map(({ behavior }) => behavior),
);
