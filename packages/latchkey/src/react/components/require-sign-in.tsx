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
   * The destination after sign-in: a path on this origin. Default: the page itself, with query and
   * fragment.
   */
  readonly returnTo?: string | undefined;
  /** Shown while the user is not known, and on the way to the provider. Default: nothing. */
  readonly waiting?: ReactNode;
  /** Shown after a failed request. Default: a sentence and the button "Try again". */
  readonly onError?: ((error: RequestError, retry: () => void) => ReactNode) | undefined;
}

/**
 * Creates a page for signed-in users; it gets their claims as the prop `user`.
 *
 * A signed-out user goes to sign-in and comes back to the page. A network failure does not lead
 * away from the page. If the session ends while the page is open, the page keeps its state,
 * including typed text, but cannot be read or used before the same user signs in again. After a
 * sign-out it is gone.
 *
 * This only hides the page. Protect its data on the server.
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
    // The page wants its own props and the user, who is added here.
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

/** The current or last signed-in user. */
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

/** Keeps its content mounted. While active, the content cannot be read, used or heard. */
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
