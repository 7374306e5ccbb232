import { SignInError, type Claims, type Peek } from "./session-state.ts";

/** The value as a peek; `null` when it is none. */
export function readPeek(value: unknown): Peek | null {
  return isPeek(value) ? value : null;
}

/** The value as claims; `null` when it is none. */
export function readClaims(value: unknown): Claims | null {
  return isFields(value) && isClaims(value) ? value : null;
}

/**
 * Asks one address for JSON; `null` for a 204.
 *
 * @throws {SignInError} For every other status but 200, for a redirect, and when there is no answer.
 */
export async function askJSON(
  ask: typeof fetch,
  path: string,
  signal: AbortSignal,
): Promise<unknown> {
  let status = 0;
  try {
    const response = await ask(path, {
      headers: { accept: "application/json" },
      credentials: "same-origin",
      cache: "no-store",
      redirect: "error",
      signal,
    });
    ({ status } = response);
    if (status === 204) return null;
    if (status === 200) return await response.json();
  } catch (cause) {
    throw new SignInError(`GET ${path} gave no usable answer.`, status, { cause });
  }
  throw new SignInError(`GET ${path} answered ${status}.`, status);
}

type Fields = Readonly<Record<string, unknown>>;

function isPeek(value: unknown): value is Peek {
  if (!isFields(value) || typeof value["now"] !== "number") return false;
  const { state, sub } = value;
  return state === "signed-in"
    ? typeof sub === "string"
    : state === "signed-out" || state === "ended";
}

function isClaims(value: Fields): value is Claims & Fields {
  return typeof value["sub"] === "string";
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}
