"use client";
import {
  type Claims,
  createSessionClient,
  type InitialSession,
  type RegisteredClaims,
  RequestError,
  requireSignIn,
  SignInProvider,
  useSession,
} from "latchkey/react";
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

/** The claims of the user. */
export type UserProfile = Partial<Claims>;

/** The result of {@link useUser}. */
export interface UserContext {
  /** The user; `undefined` while this is unknown, and if no user is signed in. */
  readonly user?: UserProfile | undefined;
  /** Why the request failed: a `RequestError`, or what your own `fetcher` threw. */
  readonly error?: Error | undefined;
  /** Whether the user is unknown yet and no request has failed for good. */
  readonly isLoading: boolean;
  /**
   * Loads the user again, which renews the session. A failure appears in `error` and changes
   * nothing else.
   */
  readonly checkSession: () => Promise<void>;
}

export interface UserProviderProps {
  readonly children?: ReactNode;
  /**
   * The user, as the server knows; `null` if no user is signed in. By default the browser loads the
   * user.
   */
  readonly user?: UserProfile | null | undefined;
  /** Address of the user as JSON. Default: `/api/auth/me`. */
  readonly profileUrl?: string | undefined;
  /** Address of login. Default: `/api/auth/login`. */
  readonly loginUrl?: string | undefined;
  /** Loads the user in place of `fetch`; resolves to `undefined` if no user is signed in. */
  readonly fetcher?: Fetcher | undefined;
}

type Fetcher = (url: string) => Promise<UserProfile | undefined>;

export interface WithPageAuthRequiredOptions {
  /** The address after sign-in: a path on this origin. Default: the page itself. */
  readonly returnTo?: string | undefined;
  /** Renders while the user is unknown, and on the way to the provider. Default: nothing. */
  readonly onRedirecting?: (() => ReactNode) | undefined;
  /** Renders if the request failed. Default: a sentence and the button "Try again". */
  readonly onError?: ((error: Error) => ReactNode) | undefined;
}

type Check = Pick<UserContext, "checkSession" | "error">;

const CheckContext = createContext<Check | null>(null);

/**
 * The provider of nextjs-auth0 3.x. The hooks and components of `latchkey/react` work below it too,
 * so that an app can move one page at a time.
 */
export function UserProvider(props: UserProviderProps): ReactNode {
  const { children } = props;
  const [client] = useState(() => createClient(props));
  const [error, setError] = useState<Error>();
  const checkSession = useCallback(async () => {
    await client.extend();
    setError(unwrap(client.lastError()));
  }, [client]);
  const check = useMemo(() => ({ error, checkSession }), [error, checkSession]);
  return (
    <SignInProvider client={client}>
      <CheckContext.Provider value={check}>{children}</CheckContext.Provider>
    </SignInProvider>
  );
}

function createClient({ user, profileUrl, loginUrl, fetcher }: UserProviderProps) {
  const me = profileUrl ?? "/api/auth/me";
  const initial = user ? { user } : user;
  return createSessionClient({
    initialSession: initial as InitialSession<Claims> | null | undefined,
    paths: { me, ...sessionPath(me), ...(loginUrl && { login: loginUrl }) },
    fetch: fetcher && createFetch(fetcher, me),
  });
}

/** `handleAuth` serves the times of the session beside the profile. */
function sessionPath(me: string): { readonly session?: string } {
  return me.endsWith("/api/auth/me") ? { session: me.replace(/me$/, "session.json") } : {};
}

/**
 * Returns the user, and whether the user is known yet. The object stays the same until something
 * changes.
 *
 * @throws {Error} outside of `UserProvider`
 */
export function useUser(): UserContext {
  const check = useContext(CheckContext);
  if (check === null)
    throw new Error(
      "useUser is used outside of <UserProvider>. Wrap your app in it once, at the top.",
    );
  const session = useSession<UserProfile>();
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
 * Makes a page for signed-in users; it gets the claims as the prop `user`. A signed-out user goes
 * to login. If a request fails, the page shows the error and stays.
 */
export function withPageAuthRequired<P extends object>(
  Component: ComponentType<P & { readonly user: UserProfile }>,
  options: WithPageAuthRequiredOptions = {},
): ComponentType<Omit<P, "user">> {
  const { returnTo, onRedirecting, onError } = options;
  // The props are the declared claims; the page may expect any part of them.
  const Page = Component as unknown as ComponentType<P & { readonly user: RegisteredClaims }>;
  return requireSignIn<P>(Page, {
    returnTo,
    waiting: onRedirecting && createElement(onRedirecting),
    onError: onError && ((error) => onError(unwrap(error) ?? error)),
  });
}

/** Carries an error of the app's own fetcher through the client, which wraps errors of `fetch`. */
class FetcherError extends Error {}

function createFetch(fetcher: Fetcher, me: string): typeof fetch {
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

/** Returns the error of the app's own fetcher; else the error itself. */
function unwrap(error: RequestError | undefined): Error | undefined {
  // A fetcher may throw any value, and usually throws an error.
  return error?.cause instanceof FetcherError ? (error.cause.cause as Error) : error;
}

export { RequestError };
