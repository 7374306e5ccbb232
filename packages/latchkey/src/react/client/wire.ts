import { SignInError, type Claims, type Peek } from "./session-state.ts";

/** A request without an answer after this time is a network fault. */
const timeoutMs = 8_000;

/**
 * Asks one address for JSON; `null` for a 204.
 *
 * @throws {SignInError} For every other status but 200, for a redirect, and when there is no answer in time.
 */
export async function askJSON(ask: typeof fetch, path: string): Promise<unknown> {
  let status = 0;
  try {
    const response = await ask(path, {
      headers: { accept: "application/json" },
      cache: "no-store",
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    });
    ({ status } = response);
    if (status === 204) return null;
    if (status === 200) return await response.json();
  } catch (cause) {
    throw new SignInError(`GET ${path} gave no usable answer.`, status, { cause });
  }
  throw new SignInError(`GET ${path} answered ${status}.`, status);
}

/** Told from what a stranger on the way might answer; the rest is the server's word. */
export function isPeek(value: unknown): value is Peek {
  return isObject(value) && "state" in value && "now" in value;
}

export function isClaims(value: unknown): value is Claims {
  return isObject(value) && "sub" in value;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
