import { type Claims, findClaim } from "latchkey";

/** What an application behind the check learns of the user. */
type Fact = "user" | "email" | "name" | "groups" | "accessToken" | "connection";

/** The names of the headers: ours, or those that an application knows from another gateway. */
export const presets = {
  latchkey: {
    user: "Latchkey-Sub",
    email: "Latchkey-Email",
    name: "Latchkey-Name",
    groups: "Latchkey-Groups",
    accessToken: "Latchkey-Access-Token",
    connection: "Latchkey-Connection",
  },
  "x-auth-request": {
    user: "X-Auth-Request-User",
    email: "X-Auth-Request-Email",
    name: "X-Auth-Request-Preferred-Username",
    groups: "X-Auth-Request-Groups",
    accessToken: "X-Auth-Request-Access-Token",
    connection: "X-Auth-Request-Connection",
  },
  "x-forwarded": {
    user: "X-Forwarded-User",
    email: "X-Forwarded-Email",
    name: "X-Forwarded-Preferred-Username",
    groups: "X-Forwarded-Groups",
    accessToken: "X-Forwarded-Access-Token",
    connection: "X-Forwarded-Connection",
  },
  remote: {
    user: "Remote-User",
    email: "Remote-Email",
    name: "Remote-Name",
    groups: "Remote-Groups",
    accessToken: "Remote-Access-Token",
    connection: "Remote-Connection",
  },
} as const satisfies Readonly<Record<string, Readonly<Record<Fact, string>>>>;

export type Preset = keyof typeof presets;

export interface IdentitySettings {
  readonly preset: Preset;
  /** The claim of the user's name in the header of the user. */
  readonly userClaim: string;
  readonly nameClaim: string;
  /** A claim with a list of texts, or with one. */
  readonly groupsClaim: string;
  /** Whether the header of the access token has one. */
  readonly sendsAccessToken: boolean;
}

export interface IdentityOptions {
  readonly accessToken?: string | undefined;
  /** The id of the user's connection, if the application has several. */
  readonly connection?: string | undefined;
  /** Receives a sentence for operators. */
  readonly warn?: (message: string) => void;
}

/** Proxies hold the head of an answer in one buffer. */
const groupsBytesAtMost = 4096;

/**
 * Returns every identity header, empty without a value: so a proxy replaces each one of the client.
 *
 * @param user `null` if the request goes on without an identity
 */
export function identityHeaders(
  { preset, userClaim, nameClaim, groupsClaim }: IdentitySettings,
  user: Claims | null,
  { accessToken = "", connection = "", warn = () => undefined }: IdentityOptions = {},
): readonly (readonly [name: string, value: string])[] {
  const names = presets[preset];
  const claim = (name: string) => (user === null ? undefined : findClaim(user, name));
  return [
    [names.user, encodeText(claim(userClaim))],
    [names.email, hasVerifiedEmail(user) ? encodeText(claim("email")) : ""],
    [names.name, encodeText(claim(nameClaim))],
    [names.groups, encodeGroups(claim(groupsClaim), warn)],
    [names.accessToken, accessToken],
    [names.connection, connection],
  ];
}

/** Some providers, such as Cognito, send `true` and `false` as text; many send neither. */
function hasVerifiedEmail(user: Claims | null): boolean {
  const verified: unknown = user?.["email_verified"] ?? true;
  return verified === true || verified === "true";
}

/** Control characters, a percent sign, and spaces that proxies would remove. */
// oxlint-disable-next-line no-control-regex -- these very characters are looked for
const unsafe = /[\u0000-\u001f\u007f%]|^ +| +$/g;

/** As UTF-8; what no header can hold is percent-encoded. */
function encodeText(value: unknown): string {
  if (typeof value !== "string") return "";
  const safe = value.toWellFormed().replaceAll(unsafe, encodeURIComponent);
  // Each byte is one character of the header.
  return Buffer.from(safe).toString("latin1");
}

/** With commas between them; a comma in a name is percent-encoded. */
function encodeGroups(value: unknown, warn: (message: string) => void): string {
  const groups: readonly unknown[] = Array.isArray(value) ? value : [value];
  const text = groups
    .map(encodeText)
    .filter((each) => each !== "")
    .map((each) => each.replaceAll(",", "%2C"))
    .join(",");
  if (text.length <= groupsBytesAtMost) return text;
  // A part of them would be another answer than all of them.
  warn(
    `A user has more groups than ${groupsBytesAtMost} bytes, so the check sent none. Let the provider send fewer, or name another claim in LATCHKEY_CHECK_GROUPS_CLAIM.`,
  );
  return "";
}

/**
 * Returns a header of the client that an application might read as an identity header. CGI, WSGI,
 * PHP and Rack make one variable of `Remote-User`, `remote_user` and `Remote.User`, and no proxy
 * replaces the latter two.
 */
export function findAlias(preset: Preset, rawHeaders: readonly string[]): string | undefined {
  const names = Object.values(presets[preset]).map((name) => name.toLowerCase());
  return rawHeaders.find((name, index) => {
    if (index % 2 === 1) return false;
    const lowerCase = name.toLowerCase();
    return !names.includes(lowerCase) && names.includes(lowerCase.replaceAll(/[^a-z\d]/g, "-"));
  });
}

/** The `Cookie` header without the cookies of sign-in. Those that remain stay byte for byte. */
export function withoutOurCookies(cookies: string, ours: readonly string[]): string {
  const isOurs = (pair: string) => {
    const name = (pair.split("=", 1)[0] ?? "").trim();
    return ours.some((each) => name === each || name.startsWith(`${each}.`));
  };
  const others = cookies.split(";").filter((pair) => !isOurs(pair));
  return others.join(";").trim();
}
