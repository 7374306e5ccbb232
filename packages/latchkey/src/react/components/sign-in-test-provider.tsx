import { useMemo, type ReactNode } from "react";
import { deviceClock } from "../client/clock.ts";
import { Surroundings } from "../hooks/sign-in-context.ts";
import { resolvePaths } from "../client/paths.ts";
import type { RegisteredClaims, SignIn } from "../client/register.ts";
import type { SessionClient } from "../client/session-client.ts";
import type { Claims, SignInOf } from "../client/session-state.ts";
import type { Words } from "../text/words.ts";

export interface SignInTestProviderProps<C = RegisteredClaims> {
  readonly children?: ReactNode;
  /** What `useSignIn` gives. */
  readonly value: SignIn<C>;
  /** The server's clock in epoch seconds. Default: the device's, as it stands. */
  readonly now?: number | undefined;
  readonly basePath?: string | undefined;
  readonly words?: Partial<Words> | undefined;
  /** Called instead of the server. */
  readonly onExtend?: (() => void) | undefined;
  readonly onSignOut?: (() => void) | undefined;
}

/** For component tests: every status can be reached, nothing is asked of any server, no time passes. */
export function SignInTestProvider<C = RegisteredClaims>(
  props: SignInTestProviderProps<C>,
): ReactNode {
  const { children, value, now, basePath, words, onExtend, onSignOut } = props;
  const surroundings = useMemo(
    () => ({ client: stillClient({ value, now, basePath, onExtend, onSignOut }), words }),
    [value, now, basePath, words, onExtend, onSignOut],
  );
  return <Surroundings.Provider value={surroundings}>{children}</Surroundings.Provider>;
}

function stillClient<C>(props: Omit<SignInTestProviderProps<C>, "words">): SessionClient {
  const { value, now = deviceClock.now() / 1000, basePath = "", onExtend, onSignOut } = props;
  // Tests may give a person as small as they need.
  const state = value as SignInOf<unknown> as SignInOf<Claims>;
  return {
    paths: resolvePaths(basePath, undefined),
    clock: deviceClock,
    subscribe: () => () => undefined,
    getSnapshot: () => state,
    getServerSnapshot: () => state,
    now: () => now,
    getServerNow: () => Math.floor(now),
    heardAt: () => now,
    look: () => Promise.resolve(true),
    extend() {
      onExtend?.();
      return Promise.resolve(true);
    },
    fault: () => undefined,
    leaving: () => undefined,
    signOut: () => onSignOut?.(),
  };
}
