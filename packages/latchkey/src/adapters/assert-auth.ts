import type { Auth } from "../index.ts";

/**
 * JavaScript lets `app.use(latchkey)` and `latchkey()` pass. The former would leave every request
 * without a response.
 *
 * @throws {TypeError} if an adapter gets no sign-in
 */
export function assertAuth(given: Partial<Auth> | undefined): void {
  if (typeof given?.host === "object") return;
  throw new TypeError(
    "Sign-in is missing: call the adapter with what authFromEnvironment() or createAuth() returns, as in latchkey(auth).",
  );
}
