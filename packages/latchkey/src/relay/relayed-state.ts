import { decodeBase64url, encodeBase64url } from "../crypto/base64url.ts";
import { parseJSON } from "../crypto/json-object.ts";
import type { KeyRing } from "../crypto/key-ring.ts";
import { isMACOf, macOf } from "../crypto/mac.ts";

/** The sign-in of a preview, as its `state` says it to the relay. */
export interface RelayedSignIn {
  readonly baseURL: string;
  /** The path of the client's redirect URI below the base URL. */
  readonly path: string;
  /** When it was started: epoch milliseconds, by the clock of the preview. */
  readonly started: number;
}

/**
 * `<random>.<content>.<MAC>`, and the marks of every state. The random part names the transaction,
 * so the MAC covers it, too.
 */
const form = /^([\w-]{43})\.([\w-]{1,1000})\.([\w-]{22})(?:\.s)?(?:\.r)?$/;

/** Returns the state of a sign-in. */
export function sealState(keys: KeyRing, random: string, signIn: RelayedSignIn): string {
  const { baseURL, path, started } = signIn;
  const content = encode(JSON.stringify([baseURL, path, started]));
  return `${random}.${content}.${macOf(keys, `${random}.${content}`)}`;
}

/** Whether a state has the form of {@link sealState}. A state of an ordinary sign-in has not. */
export function isSealedState(state: string): boolean {
  return form.test(state);
}

/** Reads a state of {@link sealState}; `null` if no holder of the secret has made it. */
export function openState(keys: KeyRing, state: string): RelayedSignIn | null {
  const [, random = "", content = "", mac = ""] = form.exec(state) ?? [];
  if (!isMACOf(keys, `${random}.${content}`, mac)) return null;
  const bytes = decodeBase64url(content);
  const value = bytes === null ? null : parseJSON(new TextDecoder().decode(bytes));
  const [baseURL, path, started]: readonly unknown[] = Array.isArray(value) ? value : [];
  const isWhole =
    typeof baseURL === "string" && typeof path === "string" && typeof started === "number";
  return isWhole ? { baseURL, path, started } : null;
}

function encode(text: string): string {
  return encodeBase64url(new TextEncoder().encode(text));
}
