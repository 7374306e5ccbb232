import { SignInRequired } from "../errors/access-errors.ts";
import { AccessTokenError } from "../errors/access-token-error.ts";
import type { RequestAuth } from "./request-auth.ts";

/**
 * Creates sign-in for a request without a caller.
 *
 * @param onRefusal - receives what is thrown here
 */
export function createAnonymous(onRefusal: (error: unknown) => void): RequestAuth {
  const refuse = (error: unknown): never => {
    onRefusal(error);
    throw error;
  };
  return {
    session: null,
    user: null,
    ended: undefined,
    endedTimes: null,
    credential: null,
    claims: null,
    scopes: [],
    connection: null,
    identity: null,
    client: null,
    require: () => refuse(new SignInRequired()),
    login: () => refuse(new SignInRequired()),
    explain: () => ({ holds: false, parts: [] }),
    accessToken: async () =>
      refuse(
        new AccessTokenError(
          "ERR_MISSING_SESSION",
          "There is no session in what a build renders or a cache keeps, nor at a host without a site.",
        ),
      ),
    update: async () => null,
    touch: async () => null,
    devices: async () => null,
    activity: async () => null,
    renameDevice: async () => null,
    endDevice: async () => null,
    endDevices: async () => null,
  };
}

/** Sign-in for a prerendered or cached page: it is for all users, so none is signed in. */
export const anonymous = createAnonymous(() => undefined);
