import type { JSONObject } from "../crypto/json-object.ts";
import type { OpenedText } from "../crypto/jwe.ts";

/** What a library has kept of a sign-in. Nothing in it is checked but its shape. */
export interface FormerSignIn {
  readonly idToken: unknown;
  /** What it kept of the user, beside the ID token. */
  readonly user: JSONObject;
  /** `sid`, if the ID token does not have it. */
  readonly sid?: unknown;
  readonly accessToken?: unknown;
  readonly scope?: unknown;
  /** End of the access token, in epoch seconds. */
  readonly expiresAt?: unknown;
  readonly refreshToken?: unknown;
  /** When the session was created, last used if that is known, and will end; epoch seconds. */
  readonly times: { readonly iat: unknown; readonly uat?: unknown; readonly exp: unknown };
  /** When the provider ends its session (`session_expiry`), if it has said so; epoch seconds. */
  readonly sessionExpiry?: unknown;
  /** Fields of the app's own. */
  readonly own: JSONObject;
}

/** Reads the opened cookie of a library; `null` if it holds no sign-in. */
export type SignInOf = (opened: OpenedText) => FormerSignIn | null;
