import { useMemo, useState, type ReactNode } from "react";
import { Surroundings } from "../hooks/sign-in-context.ts";
import { resolvePaths, type Paths } from "../client/paths.ts";
import type { RegisteredClaims, Seed } from "../client/register.ts";
import { createSessionClient, type SessionClient } from "../client/session-client.ts";
import type { Claims, SeedOf } from "../client/session-state.ts";
import type { Words } from "../text/words.ts";

export interface SignInProviderProps {
  readonly children?: ReactNode;
  /**
   * What the server knew when it rendered the page, so that no frame shows the wrong state. `null`: nobody is
   * signed in. Left out: the browser asks, and the state is `loading` until it knows. Read once.
   */
  readonly initial?: Seed<RegisteredClaims> | null | undefined;
  /** Path under which the app lives, without a slash at the end. Default: none. */
  readonly basePath?: string | undefined;
  /** Addresses that are not where they are by default. */
  readonly paths?: Partial<Paths> | undefined;
  /** Words that replace the English ones. */
  readonly words?: Partial<Words> | undefined;
  /** Instead of the browser's own `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** For several React roots on one page: they share one client, and so one request. */
  readonly client?: SessionClient | undefined;
}

/** Wrap your app once, at the top. Everything else of this package works below it. */
export function SignInProvider(props: SignInProviderProps): ReactNode {
  const { children, words } = props;
  const [client] = useState(() => props.client ?? clientOf(props));
  const surroundings = useMemo(() => ({ client, words }), [client, words]);
  return <Surroundings.Provider value={surroundings}>{children}</Surroundings.Provider>;
}

function clientOf({ initial, basePath = "", paths, fetch }: SignInProviderProps): SessionClient {
  return createSessionClient({
    paths: resolvePaths(basePath, paths),
    seed: seedOf(initial),
    fetch,
  });
}

/** Declared claims are claims: the declaration asks for a `sub`. */
function seedOf(seed: SeedOf<unknown> | null | undefined): SeedOf<Claims> | null | undefined {
  return seed as SeedOf<Claims> | null | undefined;
}
