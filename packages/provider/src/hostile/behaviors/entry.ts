import type { Behavior, Members, Parameter, TokenFault } from "../behavior.ts";

/** What a relying party must do when the provider misbehaves in this way. */
export type Expectation =
  /** Sign-in completes. */
  | "accept"
  /** The callback responds with an error: no session, no further call to the provider. */
  | "refuse"
  /** Either of the two, but never a crash. */
  | "either"
  /** The login route responds with an error and makes no authorization request. */
  | "login-fails"
  /** A refresh fails and stores nothing. */
  | "refresh-fails"
  /** A refresh succeeds. */
  | "refresh-succeeds"
  /** The userinfo response is discarded; the profile stays as it was. */
  | "userinfo-discarded"
  /** The logout token is rejected; no session ends. */
  | "logout-refused"
  /** The logout token is accepted; the session ends. */
  | "logout-accepted"
  /** The session of the relying party ends nevertheless. */
  | "signed-out";

/** What the relying party must request for a behavior to take effect. */
export interface Needs {
  readonly responseType?: "code" | "code id_token" | "id_token";
  /** Default: `form_post` for a response type with an ID token, else `query`. */
  readonly responseMode?: "query" | "form_post";
  /** Seconds. */
  readonly maxAge?: number;
  /** Two sign-ins in a row. */
  readonly secondSignIn?: true;
  /** The request is pushed (RFC 9126). */
  readonly pushed?: true;
}

/** A behavior with its description and what the relying party must do. */
export interface Entry {
  readonly says: string;
  readonly expect: Expectation;
  readonly needs?: Needs;
  readonly behavior: Behavior;
}

/** An invalid ID token. */
export function badIDToken(
  says: string,
  idToken: TokenFault,
  more: { readonly behavior?: Behavior; readonly needs?: Needs } = {},
): Entry {
  return entry("refuse", says, { ...more.behavior, idToken }, more.needs);
}

/** A valid, unusual ID token. */
export function goodIDToken(
  says: string,
  idToken: TokenFault,
  more: { readonly behavior?: Behavior; readonly needs?: Needs } = {},
): Entry {
  return entry("accept", says, { ...more.behavior, idToken }, more.needs);
}

export function entry(expect: Expectation, says: string, behavior: Behavior, needs?: Needs): Entry {
  return { says, expect, behavior, ...(needs === undefined ? {} : { needs }) };
}

/** The members, one of them with a suffix. */
export function addSuffix(members: Members, name: string, suffix = "x"): Members {
  return { ...members, [name]: `${text(members[name])}${suffix}` };
}

export function without(members: Members, ...names: readonly string[]): Members {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));
}

export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The parameters with one replaced, or added at the end if it is missing. */
export function replaceParameter(
  parameters: readonly Parameter[],
  name: string,
  change: (value: string) => string,
): readonly Parameter[] {
  if (!parameters.some(([own]) => own === name)) return [...parameters, [name, change("")]];
  return parameters.map(([own, value]) => [own, own === name ? change(value) : value]);
}

export function dropParameters(
  parameters: readonly Parameter[],
  ...names: readonly string[]
): readonly Parameter[] {
  return parameters.filter(([name]) => !names.includes(name));
}
