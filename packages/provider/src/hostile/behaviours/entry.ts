import type { Behaviour, Members, Parameter, TokenFault } from "../behaviour.ts";

/** What a relying party must do when the provider behaves so. */
export type Expectation =
  /** Sign-in completes. */
  | "accept"
  /** The callback answers an error: no session, no further call to the provider. */
  | "refuse"
  /** Either of the two, but never a crash. */
  | "either"
  /** The login route answers an error; no authorization request is made. */
  | "login-fails"
  /** A refresh answers an error and stores nothing. */
  | "refresh-fails"
  /** A refresh succeeds. */
  | "refresh-succeeds"
  /** The userinfo answer is dropped; the profile stays as it was. */
  | "userinfo-discarded"
  /** The logout token is refused; no session ends. */
  | "logout-refused"
  /** The logout token is taken; the session ends. */
  | "logout-accepted"
  /** The local sign-out is complete all the same. */
  | "signed-out";

/** What the relying party must be doing for a behaviour to show. */
export interface Needs {
  readonly responseType?: "code" | "code id_token" | "id_token";
  /** Default: `form_post` for what brings an ID token in front, else `query`. */
  readonly responseMode?: "query" | "form_post";
  /** Seconds. */
  readonly maxAge?: number;
  /** Two sign-ins in a row. */
  readonly secondSignIn?: true;
  /** The request is pushed (RFC 9126). */
  readonly pushed?: true;
}

/** A named behaviour: what it does in one sentence, and what is right in the face of it. */
export interface Entry {
  readonly says: string;
  readonly expect: Expectation;
  readonly needs?: Needs;
  readonly behaviour: Behaviour;
}

/** An ID token that must be refused. */
export function badIDToken(
  says: string,
  idToken: TokenFault,
  more: { readonly behaviour?: Behaviour; readonly needs?: Needs } = {},
): Entry {
  return entry("refuse", says, { ...more.behaviour, idToken }, more.needs);
}

/** An ID token that must be taken. */
export function goodIDToken(
  says: string,
  idToken: TokenFault,
  more: { readonly behaviour?: Behaviour; readonly needs?: Needs } = {},
): Entry {
  return entry("accept", says, { ...more.behaviour, idToken }, more.needs);
}

export function entry(
  expect: Expectation,
  says: string,
  behaviour: Behaviour,
  needs?: Needs,
): Entry {
  return { says, expect, behaviour, ...(needs === undefined ? {} : { needs }) };
}

/** Members with one more character at the end of one of them. */
export function appended(members: Members, name: string, suffix = "x"): Members {
  return { ...members, [name]: `${text(members[name])}${suffix}` };
}

export function without(members: Members, ...names: readonly string[]): Members {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));
}

export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Parameters with one replaced, in its place; added at the end when it was not there. */
export function replaced(
  parameters: readonly Parameter[],
  name: string,
  change: (value: string) => string,
): readonly Parameter[] {
  if (!parameters.some(([own]) => own === name)) return [...parameters, [name, change("")]];
  return parameters.map(([own, value]) => [own, own === name ? change(value) : value]);
}

export function dropped(
  parameters: readonly Parameter[],
  ...names: readonly string[]
): readonly Parameter[] {
  return parameters.filter(([name]) => !names.includes(name));
}
