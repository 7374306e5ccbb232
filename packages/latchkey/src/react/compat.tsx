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
import type { Claims, RegisteredClaims } from "./client/claims.ts";
import { RequestError } from "./client/request-error.ts";
import type { InitialSession } from "./client/session-state.ts";
import { requireSignIn } from "./components/require-sign-in.tsx";
import { SignInProvider } from "./components/sign-in-provider.tsx";
import { useSignInContext } from "./hooks/sign-in-context.ts";
import { useSessionState } from "./hooks/use-session.ts";

/** The claims of the person who is signed in. */
export type UserProfile = Partial<Claims>;

/** What {@link useUser} returns. */
export interface UserContext {
  /** The person; `undefined` while that is not known, and when nobody is signed in. */
  readonly user?: UserProfile | undefined;
  /** Why the server could not be asked: a `RequestError`, or whatever your own `fetcher` threw. */
  readonly error?: Error | undefined;
  /** It is not known yet who is signed in, and no request has failed for good. */
  readonly isLoading: boolean;
  /**
   * Asks the server again, which renews the session. A failure appears in `error` and changes
   * nothing else.
   */
  readonly checkSession: () => Promise<void>;
}

export interface UserProviderProps {
  readonly children?: ReactNode;
  /**
   * The person as the server knows; `null`: nobody is signed in; left out: the browser asks the
   * server.
   */
  readonly user?: UserProfile | null | undefined;
  /** Where to get the person from. Default: `/api/auth/me`. */
  readonly profileUrl?: string | undefined;
  /** Where sign-in starts. Default: `/api/auth/login`. */
  readonly loginUrl?: string | undefined;
  /**
   * Gets the person instead of the browser's `fetch`; resolves to `undefined` when nobody is signed
   * in.
   */
  readonly fetcher?: Fetcher | undefined;
}

type Fetcher = (url: string) => Promise<UserProfile | undefined>;

export interface WithPageAuthRequiredOptions {
  /** Where to go after signing in: a path on this origin. Default: the page itself. */
  readonly returnTo?: string | undefined;
  /**
   * Renders while it is not known who is signed in, and on the way to the provider. Default:
   * nothing.
   */
  readonly onRedirecting?: (() => ReactNode) | undefined;
  /** Renders when the server could not be asked. Default: a sentence and the button "Try again". */
  readonly onError?: ((error: Error) => ReactNode) | undefined;
}

type Check = Pick<UserContext, "checkSession" | "error">;

const CheckContext = createContext<Check | null>(null);

/**
 * The provider of nextjs-auth0 3.x, by name and behaviour. The hooks and components of
 * `latchkey/react` work below it too, so that an app can move one page at a time.
 */
export function UserProvider(props: UserProviderProps): ReactNode {
  const { user, profileUrl, loginUrl, fetcher, children } = props;
  const me = profileUrl ?? "/api/auth/me";
  const initial = user ? { user } : user;
  return (
    <SignInProvider
      initialSession={initial as InitialSession | null | undefined}
      paths={{ me, ...besides(me), ...(loginUrl && { login: loginUrl }) }}
      fetch={fetcher && fetchWith(fetcher, me)}
    >
      <CheckProvider>{children}</CheckProvider>
    </SignInProvider>
  );
}

/** The times of the session are beside the profile: `handleAuth` of `latchkey/next/compat` serves nothing else. */
function besides(me: string): { readonly session?: string } {
  return me.endsWith("/api/auth/me") ? { session: me.replace(/me$/, "session.json") } : {};
}

function CheckProvider({ children }: { children: ReactNode }): ReactNode {
  const { client } = useSignInContext("UserProvider");
  const [error, setError] = useState<Error>();
  const checkSession = useCallback(async () => {
    await client.extend();
    setError(unwrap(client.lastError()));
  }, [client]);
  const check = useMemo(() => ({ error, checkSession }), [error, checkSession]);
  return <CheckContext.Provider value={check}>{children}</CheckContext.Provider>;
}

/**
 * Who is signed in, and whether that is known yet. The object stays the same until something
 * changes.
 *
 * @throws {Error} Outside of `UserProvider`.
 */
export function useUser(): UserContext {
  useSignInContext("useUser", "UserProvider");
  const check = useContext(CheckContext);
  if (check === null) throw new Error("useUser is used outside of <UserProvider>.");
  const session = useSessionState<UserProfile>("useUser");
  const user = session.user ?? undefined;
  const loadingError = session.status === "loading" ? unwrap(session.error) : undefined;
  const error = loadingError ?? check.error;
  const isLoading = session.status === "loading" && !loadingError;
  const { checkSession } = check;
  return useMemo(
    () => ({ user, error, isLoading, checkSession }),
    [user, error, isLoading, checkSession],
  );
}

/**
 * Makes a page that only signed-in people see; it gets the claims of the person as the prop `user`.
 * Whoever is signed out is sent to sign in. A failed request is shown, and sends nobody away.
 */
export function withPageAuthRequired<P extends object>(
  Component: ComponentType<P & { readonly user: UserProfile }>,
  options: WithPageAuthRequiredOptions = {},
): ComponentType<Omit<P, "user">> {
  const { returnTo, onRedirecting, onError } = options;
  // The declared claims are at hand, of which a page may know as little as it likes.
  const Page = Component as unknown as ComponentType<P & { readonly user: RegisteredClaims }>;
  return requireSignIn<P>(Page, {
    returnTo,
    waiting: onRedirecting && createElement(onRedirecting),
    onError: onError && ((error) => onError(unwrap(error) ?? error)),
  });
}

/** Carries what the app's own fetcher threw through the client, which wraps what `fetch` throws. */
class FetcherError extends Error {}

/** `fetch`, with the person from elsewhere. */
function fetchWith(fetcher: Fetcher, me: string): typeof fetch {
  return async (input, init) => {
    if (input !== me) return fetch(input, init);
    try {
      const user = await fetcher(me);
      return user ? Response.json(user) : new Response(null, { status: 204 });
    } catch (cause) {
      throw new FetcherError("The fetcher of UserProvider failed.", { cause });
    }
  };
}

/** What the app's own fetcher threw, where it did; the error itself otherwise. */
function unwrap(error: RequestError | undefined): Error | undefined {
  // A fetcher may throw anything; the type promises what well-behaved ones throw.
  return error?.cause instanceof FetcherError ? (error.cause.cause as Error) : error;
}

export { RequestError };
