import { useMemo, type ReactNode } from "react";
import type { Claims, RegisteredClaims } from "../client/claims.ts";
import { deviceClock } from "../client/browser/clock.ts";
import { resolvePaths } from "../client/paths.ts";
import type { SessionActions, SessionClient } from "../client/session-client.ts";
import type { SessionState } from "../client/session-state.ts";
import { SignInContext } from "../hooks/sign-in-context.ts";
import type { SignInProviderProps } from "./sign-in-provider.tsx";

export interface SignInTestProviderProps<C = RegisteredClaims> extends Pick<
  SignInProviderProps,
  "basePath" | "words"
> {
  readonly children?: ReactNode;
  /** The state returned by `useSession`. */
  readonly session: SessionState<C>;
  /**
   * The server's clock in epoch seconds; it stands still. Default: the device's clock at the first
   * render.
   */
  readonly now?: number | undefined;
  /** Called instead of the default actions, which do nothing and return `true`. */
  readonly actions?: Partial<SessionActions> | undefined;
}

/**
 * Puts components into any state, for tests. It sends no request, no time passes, and the page
 * stays.
 */
export function SignInTestProvider<C = RegisteredClaims>(
  props: SignInTestProviderProps<C>,
): ReactNode {
  const { children, session, now, basePath, words, actions } = props;
  const value = useMemo(
    () => ({ client: staticClient({ session, now, basePath, actions }), words }),
    [session, now, basePath, words, actions],
  );
  return <SignInContext.Provider value={value}>{children}</SignInContext.Provider>;
}

function staticClient<C>(props: Omit<SignInTestProviderProps<C>, "words">): SessionClient {
  const { session, now = deviceClock.now() / 1000, basePath = "", actions } = props;
  // Tests may pass as few claims as they need.
  const state = session as SessionState<unknown> as SessionState<Claims>;
  return {
    paths: resolvePaths(basePath, undefined),
    clock: deviceClock,
    subscribe: () => () => undefined,
    getSnapshot: () => state,
    getServerSnapshot: () => state,
    now: () => now,
    getServerNow: () => Math.floor(now),
    lastResponseAt: () => now,
    lastError: () => undefined,
    announceSignOut: () => undefined,
    signIn: () => undefined,
    signOut: () => undefined,
    extend: () => Promise.resolve(true),
    refetch: () => Promise.resolve(true),
    ...actions,
  };
}
