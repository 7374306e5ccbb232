import { useMemo, useState, type ReactNode } from "react";
import {
  createSessionClient,
  type SessionClient,
  type SessionClientOptions,
} from "../client/session-client.ts";
import type { InitialSession } from "../client/session-state.ts";
import { SignInContext } from "../hooks/sign-in-context.ts";
import type { Words } from "../text/words.ts";

export interface SignInProviderProps extends Pick<
  SessionClientOptions,
  "basePath" | "paths" | "live" | "fetch"
> {
  readonly children?: ReactNode;
  /**
   * What the server knew when it rendered the page, so no frame shows the wrong state. `null`: no
   * user is signed in. Left out: the browser requests it, and the status is `loading` meanwhile.
   * Read at the first render only.
   */
  readonly initialSession?: InitialSession | null | undefined;
  /** Texts instead of the English ones. Keep the object the same between renders. */
  readonly words?: Partial<Words> | undefined;
  /**
   * A client shared by several React roots of one page, from `createSessionClient`. The other props
   * except for `words` are ignored.
   */
  readonly client?: SessionClient | undefined;
}

/** Wrap your app once, at the top. The hooks and components of this package work below it. */
export function SignInProvider(props: SignInProviderProps): ReactNode {
  const { children, words } = props;
  const [client] = useState(() => props.client ?? createSessionClient(optionsOf(props)));
  const value = useMemo(() => ({ client, words }), [client, words]);
  return <SignInContext.Provider value={value}>{children}</SignInContext.Provider>;
}

/**
 * The client does not know the declared claims of an app; they are claims too, since they have a
 * `sub`.
 */
function optionsOf(props: Omit<SessionClientOptions, "initialSession">): SessionClientOptions {
  return props;
}
