import type { MaybePromise, Session as TimedSession, SessionData } from "latchkey";

import type { AuthOfCaller } from "./auth-of-caller.ts";
import { takeCaller } from "./caller.ts";
import type {
  AccessTokenRequest,
  GetAccessToken,
  GetSession,
  Session,
  TouchSession,
  UpdateSession,
} from "./types.ts";

export interface SessionFunctions {
  readonly getSession: GetSession;
  readonly getAccessToken: GetAccessToken;
  readonly updateSession: UpdateSession;
  readonly touchSession: TouchSession;
}

export function createSessionFunctions(authOf: AuthOfCaller): SessionFunctions {
  return {
    async getSession(...given) {
      const { session } = await authOf(takeCaller(given).caller);
      return session && withoutTimes(session);
    },
    async getAccessToken(...given) {
      const { caller, last } = takeCaller(given);
      const { afterRefresh, ...options } = (last ?? {}) as AccessTokenRequest;
      const auth = await authOf(caller);
      const before = auth.session?.accessToken;
      const accessToken = await auth.accessToken(options);
      const { session } = auth;
      if (afterRefresh !== undefined && session !== null && accessToken !== before) {
        const hook = afterRefresh as (...given: readonly unknown[]) => MaybePromise<Session>;
        const kept = await hook(...caller, withoutTimes(session));
        await auth.update(() => kept as SessionData);
      }
      return { accessToken };
    },
    async updateSession(...given) {
      const { caller, last } = takeCaller(given);
      const session = last as SessionData | null | undefined;
      if (session?.user !== undefined) await (await authOf(caller)).update(() => session);
    },
    async touchSession(...given) {
      await (await authOf(takeCaller(given).caller)).touch();
    },
  };
}

function withoutTimes({ times: _times, ...session }: TimedSession): Session {
  return session;
}
