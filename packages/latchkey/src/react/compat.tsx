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
import { useSurroundings } from "./hooks/sign-in-context.ts";
import { SignInProvider } from "./components/sign-in-provider.tsx";
import { requireSignIn } from "./components/require-sign-in.tsx";
import { SignInError, type Claims } from "./client/session-state.ts";
import { useSignInAs } from "./hooks/use-sign-in.ts";

/** The claims of the person who is signed in. */
export type UserProfile = Partial<Claims>;

export interface UserContext {
  /** The person; `undefined` while that is not known, and when nobody is signed in. */
  readonly user?: UserProfile | undefined;
  readonly error?: SignInError | undefined;
  readonly isLoading: boolean;
  /** Asks the server again, which renews the session. A fault is told in `error` and changes nothing else. */
  readonly checkSession: () => Promise<void>;
}

export interface UserProviderProps {
  readonly children?: ReactNode;
  /** The person as the server knows; `null` when the server knows that nobody is signed in. Left out: ask. */
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
      initial={initial}
      paths={{ me, ...(loginUrl && { login: loginUrl }) }}
      fetch={fetcher && fetchWith(fetcher, me)}
    >
      <CheckingProvider>{children}</CheckingProvider>
    </SignInProvider>
  );
}

function CheckingProvider({ children }: { children: ReactNode }): ReactNode {
  const { client } = useSurroundings("UserProvider");
  const [error, setError] = useState<SignInError>();
  const checkSession = useCallback(async () => {
    await client.extend();
    setError(client.fault());
  }, [client]);
  const checking = useMemo(() => ({ error, checkSession }), [error, checkSession]);
  return <CheckingContext.Provider value={checking}>{children}</CheckingContext.Provider>;
}

/** The person, and whether that is known yet. @throws {Error} Outside of `UserProvider`. */
export function useUser(): UserContext {
  useSurroundings("useUser", "UserProvider");
  const checking = useContext(CheckingContext);
  if (checking === null) throw new Error("useUser is used outside of <UserProvider>.");
  const me = useSignInAs<UserProfile>("useUser");
  return {
    ...checking,
    user: me.user ?? undefined,
    error: me.status === "error" ? me.error : checking.error,
    isLoading: me.status === "loading",
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

export { SignInError as RequestError };
