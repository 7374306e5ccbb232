/** The order of the settings on their page, and an example of each. */
import type { SettingDefinition } from "../../packages/latchkey/src/config/setting-definitions.ts";

interface SettingGroup {
  readonly title: string;
  /** Whether the group takes an option that no group before it has taken. */
  readonly takes: (option: string) => boolean;
}

const oneOf =
  (names: string) =>
  (option: string): boolean =>
    names.split(" ").includes(option);

export const settingGroups: readonly SettingGroup[] = [
  {
    title: "The app",
    takes: oneOf("baseURL secret preset production instances clientAddressHeader"),
  },
  {
    title: "The provider",
    takes: (option) => /^(?:client|issuer|tenants)/.test(option),
  },
  {
    title: "Several providers",
    takes: (option) =>
      option.startsWith("connections") ||
      oneOf("identity label domains otherEmails revealDomains hosts hidden acr")(option),
  },
  {
    title: "Who may open what",
    takes: oneOf("publicPaths accessRules organization checkOrigin"),
  },
  {
    title: "The session",
    takes: (option) => option.startsWith("session.") && !option.startsWith("session.cookie."),
  },
  { title: "The store", takes: oneOf("store activity") },
  {
    title: "The logout",
    takes: (option) => /logout$|logoutStatus$/i.test(option) || option === "streams",
  },
  {
    title: "The claims of the user",
    takes: oneOf("userinfo refetchUserinfo identityClaimFilter"),
  },
  {
    title: "The addresses",
    takes: (option) => option.startsWith("routes.") || option === "pagesPrefix",
  },
  { title: "The cookies", takes: (option) => /cookie\./i.test(option) },
  { title: "The sign-in", takes: () => true },
];

/** What a setting may look like in the environment. */
export function exampleOf({ option, kind, defaultValue }: SettingDefinition): string {
  const example = examples[option] ?? exampleOfKind(kind, defaultValue);
  return /[ &#]/.test(example) ? `"${example}"` : example;
}

function exampleOfKind(kind: SettingDefinition["kind"], defaultValue: unknown): string {
  switch (kind) {
    case "boolean":
      return String(defaultValue !== true);
    case "number":
      return String(typeof defaultValue === "number" && defaultValue > 0 ? defaultValue : 60);
    default:
      if (Array.isArray(defaultValue) && defaultValue.length > 0) return defaultValue.join(" ");
      return typeof defaultValue === "string" ? defaultValue : "…";
  }
}

const examples: Readonly<Record<string, string>> = {
  secret: "<what openssl rand -base64 32 prints>",
  baseURL: "https://app.example.com",
  issuerBaseURL: "https://id.example.com",
  clientID: "my-app",
  clientSecret: "<from the provider>",
  clientAuthMethod: "client_secret_post",
  clientAssertionSigningKey: "-----BEGIN PRIVATE KEY-----…",
  clientAssertionSigningAlg: "ES256",
  responseType: "code",
  responseMode: "form_post",
  scope: "openid profile email offline_access",
  maxAge: "3600",
  resources: "https://orders.example.com https://invoices.example.com",
  authorizationParams: "audience=https://api.example.com&prompt=login",
  organization: "org_AbCdEf",
  idTokenSigningAlg: "ES256",
  trustedAudiences: "https://api.example.com",
  userinfo: "always",
  identityClaimFilter: "aud iss iat exp nonce groups",
  backchannelLogoutStatus: "200",
  streams: "1000",
  clientAddressHeader: "X-Real-IP",
  preset: "hardened",
  instances: "3",
  "session.name": "__Host-session",
  "session.rollingDuration": "3600",
  "session.absoluteDuration": "28800",
  "session.renewAfter": "60",
  "session.networkFrom": "x-forwarded-for",
  "session.deviceBound": "enforce",
  "session.cookie.domain": "example.com",
  "session.cookie.path": "/shop",
  "session.cookie.sameSite": "strict",
  "transactionCookie.domain": "example.com",
  "transactionCookie.path": "/shop",
  "transactionCookie.name": "__Host-verification",
  "transactionCookie.sameSite": "none",
  "routes.prefix": "/auth",
  "routes.login": "/login",
  "routes.callback": "/callback",
  "routes.postLogoutRedirect": "/goodbye",
  pagesPrefix: "/_account",
  publicPaths: "/ /about /assets/",
  returnToOrigins: "https://wiki.example.com",
  tenants: "8b1a9953-c461-4290-a4b0-9c8f0e1d2a3b",
  connections: "google acme",
  identity: "issuer+sub",
  label: "Example",
  domains: "acme.example",
  otherEmails: "admit",
  hosts: "acme.app.example.com",
  acr: "phr",
  loginParams: "login_hint screen_hint ui_locales",
};
