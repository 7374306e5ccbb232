import { useEffect, useState, type ComponentType, type ReactNode } from "react";
import { useSurroundings } from "../hooks/sign-in-context.ts";
import { endedWords } from "../text/ended-text.ts";
import { here, loginURL } from "../client/paths.ts";
import { UNKNOWN_TIMES } from "../client/session-times.ts";
import type { Claims, EndedReason, SignInError } from "../client/session-state.ts";
import { SignInLink } from "./sign-in-link.tsx";
import { useSignInAs } from "../hooks/use-sign-in.ts";
import { useWords } from "../hooks/use-words.ts";

export interface RequireSignInOptions {
  /** Where to go after signing in: a path on this origin. Default: the page itself. */
  readonly returnTo?: string | undefined;
  /** Shown while it is not known who is here, and on the way to the provider. Default: nothing. */
  readonly waiting?: ReactNode;
  /** Shown when the server could not be asked. Default: a sentence and "Try again". */
  readonly onError?: ((error: SignInError, retry: () => void) => ReactNode) | undefined;
}

/**
 * Makes a page that only signed-in people see; it is given the person as `user`.
 *
 * Somebody who is certainly signed out is sent to sign in and comes back here. A network fault sends nobody away.
 * When the session ends while the page is open, it stays as it is, typed text included, but cannot be read or used
 * until the same person has signed in again; after a sign-out it is gone.
 */
export function requireSignIn<P extends object>(
  Page: ComponentType<P>,
  options: RequireSignInOptions = {},
): ComponentType<Omit<P, "user">> {
  const { returnTo, waiting = null, onError } = options;
  function Guarded(props: Omit<P, "user">): ReactNode {
    const me = useSignInAs<Claims>("requireSignIn");
    const person = useLastUser(me.user);
    useLeave(me.status === "signed-out" && person === null, returnTo);
    if (me.status === "error")
      return onError ? onError(me.error, me.retry) : <Fault retry={me.retry} />;
    if (me.status === "signed-out" && person) return <Ended reason={me.status} />;
    if (me.status === "ended" && !person) return <Ended reason={me.reason} />;
    if (!person) return waiting;
    // The page asked for everything but the person, who is added here.
    const all = { ...props, user: person } as unknown as P;
    return (
      <>
        {me.status === "ended" && <Ended reason={me.reason} />}
        <Veil key={person.sub} on={me.status === "ended"}>
          <Page {...all} />
        </Veil>
      </>
    );
  }
  Guarded.displayName = `requireSignIn(${Page.displayName ?? Page.name})`;
  return Guarded;
}

/** The person who is here, or was here last. */
function useLastUser(user: Claims | null): Claims | null {
  const [last, setLast] = useState(user);
  if (user !== null && user !== last) setLast(user);
  return user ?? last;
}

function useLeave(leaves: boolean, returnTo: string | undefined): void {
  const { client } = useSurroundings();
  useEffect(() => {
    if (leaves) location.assign(loginURL(client.paths, returnTo ?? here(client.paths)));
  }, [client, leaves, returnTo]);
}

/** Keeps what is inside as it is. While it is on, nobody can read, use or hear it. */
function Veil({ on, children }: { on: boolean; children: ReactNode }): ReactNode {
  const cover = (element: HTMLDivElement | null): void => {
    if (element) element.inert = on;
  };
  return (
    <div ref={cover} className={on ? "lk-guarded lk-veiled" : "lk-guarded"}>
      {children}
    </div>
  );
}

function Ended({ reason }: { reason: EndedReason | "signed-out" }): ReactNode {
  const words = useWords();
  const { title, body } = endedWords(words, reason, UNKNOWN_TIMES);
  return (
    <div role="status" className="lk-note">
      <h2>{title}</h2>
      <p>{body}</p>
      <SignInLink>{words.text("signInAgain")}</SignInLink>
    </div>
  );
}

function Fault({ retry }: { retry: () => void }): ReactNode {
  const { text } = useWords();
  return (
    <div role="status" className="lk-note">
      <p>{text("unknown")}</p>
      <button type="button" className="lk-button" onClick={retry}>
        {text("tryAgain")}
      </button>
    </div>
  );
}
