import { useEffect, useState, type ComponentType, type ReactNode } from "react";
import type { Claims, RegisteredClaims } from "../client/claims.ts";
import type { RequestError } from "../client/request-error.ts";
import { UNKNOWN_TIMES } from "../client/session-times.ts";
import type { EndReason } from "../client/wire.ts";
import { useSignInContext } from "../hooks/sign-in-context.ts";
import { useSessionState } from "../hooks/use-session.ts";
import { useWords } from "../hooks/use-words.ts";
import { endedText } from "./ended-text.ts";
import { SignInLink } from "./sign-in-link.tsx";

export interface RequireSignInOptions {
  /**
   * Where to go after signing in: a path on this origin. Default: the page itself, query and
   * fragment included.
   */
  readonly returnTo?: string | undefined;
  /**
   * Shown while it is not known who is signed in, and on the way to the provider. Default: nothing.
   */
  readonly waiting?: ReactNode;
  /** Shown when the server could not be asked. Default: a sentence and the button "Try again". */
  readonly onError?: ((error: RequestError, retry: () => void) => ReactNode) | undefined;
}

/**
 * Makes a page that only signed-in people see; it gets the claims of the person as the prop `user`.
 *
 * Whoever is certainly signed out is sent to sign in, and comes back to the page. A network failure
 * sends nobody away. When the session ends while the page is open, the page stays as it is, typed
 * text included, but cannot be read or used until the same person has signed in again. After a
 * sign-out it is gone.
 *
 * This hides the page only. What it shows must be protected on the server.
 */
export function requireSignIn<P extends object>(
  Page: ComponentType<P & { readonly user: RegisteredClaims }>,
  options: RequireSignInOptions = {},
): ComponentType<Omit<P, "user">> {
  const { returnTo, waiting = null, onError } = options;
  function Guarded(props: Omit<P, "user">): ReactNode {
    const session = useSessionState<Claims>("requireSignIn");
    const { client } = useSignInContext();
    const user = useLastUser(session.user);
    const ended = session.status === "signed-out" ? session.ended : undefined;
    useRedirect(session.status === "signed-out" && !ended && !user, returnTo);
    if (session.status === "loading" && session.error) {
      const retry = (): void => void client.refetch();
      return onError ? onError(session.error, retry) : <LoadingError retry={retry} />;
    }
    if (session.status === "signed-out" && !ended && user) return <Ended reason="signed-out" />;
    if (ended && !user) return <Ended reason={ended} />;
    if (!user) return waiting;
    // The page wants its own props and the person, who is added here.
    const pageProps = { ...props, user } as unknown as P & { readonly user: RegisteredClaims };
    return (
      <>
        {ended && <Ended reason={ended} />}
        <Blurred key={user.sub} active={ended !== undefined}>
          <Page {...pageProps} />
        </Blurred>
      </>
    );
  }
  Guarded.displayName = `requireSignIn(${Page.displayName ?? Page.name})`;
  return Guarded;
}

/** The person who is signed in, or was last. */
function useLastUser(user: Claims | null): Claims | null {
  const [last, setLast] = useState(user);
  if (user !== null && user !== last) setLast(user);
  return user ?? last;
}

function useRedirect(active: boolean, returnTo: string | undefined): void {
  const { client } = useSignInContext();
  useEffect(() => {
    if (active) client.signIn({ returnTo });
  }, [client, active, returnTo]);
}

/** Keeps its content mounted. While it is active, nobody can read, use or hear the content. */
function Blurred({ active, children }: { active: boolean; children: ReactNode }): ReactNode {
  const setInert = (element: HTMLDivElement | null): void => {
    if (element) element.inert = active;
  };
  return (
    <div ref={setInert} className={active ? "lk-guarded lk-blurred" : "lk-guarded"}>
      {children}
    </div>
  );
}

function Ended({ reason }: { reason: EndReason | "signed-out" }): ReactNode {
  const words = useWords();
  const { title, body } = endedText(words, reason, UNKNOWN_TIMES);
  return (
    <div role="status" className="lk-note">
      <h2>{title}</h2>
      <p>{body}</p>
      <SignInLink>{words.text("signInAgain")}</SignInLink>
    </div>
  );
}

function LoadingError({ retry }: { retry: () => void }): ReactNode {
  const { text } = useWords();
  return (
    <div role="status" className="lk-note">
      <p>{text("loadError")}</p>
      <button type="button" className="lk-button" onClick={retry}>
        {text("tryAgain")}
      </button>
    </div>
  );
}
