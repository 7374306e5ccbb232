import type { IncomingMessage, ServerResponse } from "node:http";

import type { Session as TimedSession, SessionData } from "../../../session/session.ts";
import type { MaybePromise } from "../../../maybe-promise.ts";
import { type AuthOfCaller, isNode, takeCaller } from "./caller.ts";

/** What a session holds, as nextjs-auth0 3.x knows it. */
export type Session = SessionData;

/** What an access token must be good for. */
export interface AccessTokenRequest {
  readonly scopes?: readonly string[];
  /** Refresh even though the token at hand is still good. */
  readonly refresh?: boolean;
  /** Returns the session to keep after a refresh. In `pages/` it gets request and response first. */
  // oxlint-disable-next-line typescript/no-explicit-any -- its parameters differ between app/ and pages/
  readonly afterRefresh?: (...given: any[]) => MaybePromise<Session>;
}

type Node = readonly [IncomingMessage, ServerResponse];
type Web = readonly [Request, Response];

export interface SessionFunctions {
  /** The session of a request; `null` where nobody is signed in. */
  getSession(...caller: Node | Web | readonly []): Promise<Session | null>;
  /** An access token that is good for at least another minute. Throws an `AccessTokenError`. */
  getAccessToken(
    ...given:
      | readonly [...Node, AccessTokenRequest?]
      | readonly [...Web, AccessTokenRequest?]
      | readonly [AccessTokenRequest?]
  ): Promise<{ readonly accessToken: string }>;
  /** Replaces the session. Does nothing where nobody is signed in. */
  updateSession(
    ...given: readonly [...Node, Session] | readonly [...Web, Session] | readonly [Session]
  ): Promise<void>;
  /** Renews the session. */
  touchSession(...caller: Node | Web | readonly []): Promise<void>;
}

export function createSessionFunctions(authOf: AuthOfCaller): SessionFunctions {
  return {
    async getSession(...given) {
      const { session } = await authOf(takeCaller(given).caller);
      return session && withoutTimes(session);
    },
    async getAccessToken(...given) {
      const { caller, last } = takeCaller(given);
      const { afterRefresh, ...asked } = (last ?? {}) as AccessTokenRequest;
      const auth = await authOf(caller);
      const before = auth.session?.accessToken;
      const accessToken = await auth.accessToken(asked);
      const { session } = auth;
      if (afterRefresh !== undefined && session !== null && accessToken !== before) {
        const node = isNode(caller[0]) ? caller : [];
        const kept = await afterRefresh(...node, withoutTimes(session));
        await auth.update(() => kept);
      }
      return { accessToken };
    },
    async updateSession(...given) {
      const { caller, last } = takeCaller(given);
      const session = last as Session | null | undefined;
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
