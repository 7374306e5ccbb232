import type { Clock } from "./clock.ts";
import { SignInError, type Claims, type Peek } from "./session-state.ts";

/** A request without an answer after this time is a network fault. */
const timeoutMs = 8_000;

/**
 * Asks one address for JSON; `null` for a 204.
 *
 * @throws {SignInError} For every other status but 200, for a redirect, and when there is no answer in time.
 */
export async function askJSON(ask: typeof fetch, path: string, clock: Clock): Promise<unknown> {
  const over = new AbortController();
  const cancel = clock.after(timeoutMs, () => over.abort());
  let status = 0;
  try {
    const response = await ask(path, {
      headers: { accept: "application/json" },
      cache: "no-store",
      redirect: "error",
      signal: over.signal,
    });
    ({ status } = response);
    if (status === 204) return null;
    if (status === 200) return await response.json();
  } catch (cause) {
    throw new SignInError(`GET ${path} gave no usable answer.`, status, { cause });
  } finally {
    cancel();
  }
  throw new SignInError(`GET ${path} answered ${status}.`, status);
}

export function isPeek(value: unknown): value is Peek {
  if (!isObject(value) || !("now" in value) || !("state" in value)) return false;
  const { now, state } = value;
  const known =
    state === "signed-in" ? "sub" in value : state === "signed-out" || state === "ended";
  return known && typeof now === "number";
}

export function isClaims(value: unknown): value is Claims {
  return isObject(value) && "sub" in value && typeof value.sub === "string";
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
