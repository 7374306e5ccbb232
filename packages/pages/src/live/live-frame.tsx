import {
  type InitialSession,
  type Paths,
  type SessionClient,
  SignInProvider,
  type Words as ComponentWords,
} from "latchkey/react";
import type { ReactNode } from "react";

/** The frame of all islands of a page: the same on the server and in the browser. */
export interface LiveFacts {
  /** What the server knew when it made the page. */
  readonly seed: InitialSession;
  readonly paths: Paths;
  /** Texts of the sign-in components. */
  readonly words: ComponentWords;
}

interface LiveFrameProps {
  readonly facts: LiveFacts;
  /** One for all islands of a page. */
  readonly client: SessionClient;
  readonly children: ReactNode;
}

/** Stands around a whole page on the server, and around each island in the browser. */
export function LiveFrame({ facts, client, children }: LiveFrameProps) {
  const { seed, paths, words } = facts;
  return (
    <SignInProvider initialSession={seed} paths={paths} words={words} client={client}>
      {children}
    </SignInProvider>
  );
}
