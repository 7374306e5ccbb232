import type { Config } from "latchkey";

/** The address that starts a sign-in. The login route checks `returnTo`; here it is only carried along. */
export function signInURL({ baseURL, routes }: Config, returnTo: string | null): string {
  const login = baseURL + routes.login;
  return returnTo === null ? login : `${login}?returnTo=${encodeURIComponent(returnTo)}`;
}
