import { SignInRequired } from "../errors/access-errors.ts";
import { AccessTokenError } from "../errors/access-token-error.ts";
import type { RequestAuth } from "./request-auth.ts";

/** Sign-in for a prerendered or cached page: it is for all users, so none is signed in. */
export const anonymous: RequestAuth = {
  session: null,
  user: null,
  ended: undefined,
  endedTimes: null,
  credential: null,
  claims: null,
  scopes: [],
  client: null,
  require() {
    throw new SignInRequired();
  },
  login() {
    throw new SignInRequired();
  },
  explain: () => ({ holds: false, parts: [] }),
  async accessToken() {
    throw new AccessTokenError(
      "ERR_MISSING_SESSION",
      "There is no session in what a build renders or a cache keeps.",
    );
  },
  update: async () => null,
  touch: async () => null,
  devices: async () => null,
  activity: async () => null,
  renameDevice: async () => null,
  endDevice: async () => null,
  endDevices: async () => null,
};
