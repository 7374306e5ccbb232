"use client";
import {
  createContext,
  createElement,
  useCallback,
  useContext,
  useMemo,
  useState,
  type ComponentType,
  type ReactNode,
} from "react";
import { useSignInContext } from "./hooks/sign-in-context.ts";
import { SignInProvider } from "./components/sign-in-provider.tsx";
import { requireSignIn } from "./components/require-sign-in.tsx";
import type { Claims } from "./client/claims.ts";
import { RequestError } from "./client/request-error.ts";
import { useSessionState } from "./hooks/use-session.ts";

/** The claims of the person who is signed in. */
export type UserProfile = Partial<Claims>;

export interface UserContext {
  /** The person; `undefined` while that is not known, and when nobody is signed in. */
  readonly user?: UserProfile | undefined;
  readonly error?: RequestError | undefined;
  readonly isLoading: boolean;
  /**
   * Asks the server again, which renews the session. A fault is told in `error` and changes nothing
   * else.
   */
  readonly checkSession: () => Promise<void>;
}

export interface UserProviderProps {
  readonly children?: ReactNode;
  /**
   * The person as the server knows; `null` when the server knows that nobody is signed in. Left
   * out: ask.
   */
  readonly user?: UserProfile | null | undefined;
  /** Default: `/api/auth/me`. */
  readonly profileUrl?: string | undefined;
  /** Default: `/api/auth/login`. */
  readonly loginUrl?: string | undefined;
  /** Fetches the profile instead of the browser; `undefined` when nobody is signed in. */
  readonly fetcher?: ((url: string) => Promise<UserProfile | undefined>) | undefined;
}

export interface WithPageAuthRequiredOptions {
  readonly returnTo?: string | undefined;
  readonly onRedirecting?: (() => ReactNode) | undefined;
  readonly onError?: ((error: Error) => ReactNode) | undefined;
}

type Checking = Pick<UserContext, "checkSession" | "error">;

const CheckingContext = createContext<Checking | null>(null);

/** Names and behaviour of the provider that many apps know; beneath it is `SignInProvider`. */
export function UserProvider(props: UserProviderProps): ReactNode {
  const { user, profileUrl, loginUrl, fetcher, children } = props;
  const me = profileUrl ?? "/api/auth/me";
  const initial = user ? { user: user as Claims } : user;
  return (
    <SignInProvider
      initialSession={initial}
      paths={{ me, ...(loginUrl && { login: loginUrl }) }}
      fetch={fetcher && fetchWith(fetcher, me)}
    >
      <CheckingProvider>{children}</CheckingProvider>
    </SignInProvider>
  );
}

function CheckingProvider({ children }: { children: ReactNode }): ReactNode {
  const { client } = useSignInContext("UserProvider");
  const [error, setError] = useState<RequestError>();
  const checkSession = useCallback(async () => {
    await client.extend();
    setError(client.lastError());
  }, [client]);
  const checking = useMemo(() => ({ error, checkSession }), [error, checkSession]);
  return <CheckingContext.Provider value={checking}>{children}</CheckingContext.Provider>;
}

/** The person, and whether that is known yet. @throws {Error} Outside of `UserProvider`. */
export function useUser(): UserContext {
  useSignInContext("useUser", "UserProvider");
  const checking = useContext(CheckingContext);
  if (checking === null) throw new Error("useUser is used outside of <UserProvider>.");
  const session = useSessionState<UserProfile>("useUser");
  const loadingError = session.status === "loading" ? session.error : undefined;
  return {
    ...checking,
    user: session.user ?? undefined,
    error: loadingError ?? checking.error,
    isLoading: session.status === "loading" && !loadingError,
  };
}

/** A page for signed-in people only. An error is shown, and sends nobody away. */
export function withPageAuthRequired<P extends object>(
  Component: ComponentType<P>,
  options: WithPageAuthRequiredOptions = {},
): ComponentType<Omit<P, "user">> {
  const { returnTo, onRedirecting, onError } = options;
  return requireSignIn(Component, {
    returnTo,
    waiting: onRedirecting && createElement(onRedirecting),
    onError,
  });
}

/** `fetch`, with the profile from elsewhere. */
function fetchWith(fetcher: (url: string) => Promise<UserProfile | undefined>, me: string) {
  const ask: typeof fetch = async (input, init) => {
    if (input !== me) return fetch(input, init);
    const user = await fetcher(me);
    return user ? Response.json(user) : new Response(null, { status: 204 });
  };
  return ask;
}

export { RequestError };
