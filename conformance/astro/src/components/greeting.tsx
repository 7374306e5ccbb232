import {
  type InitialSession,
  SignedIn,
  SignedOut,
  SignInLink,
  SignInProvider,
  SignOutButton,
} from "latchkey/react";

/** An island: the server renders it with the session, and the browser goes on from there. */
export function Greeting({ initialSession }: { initialSession: InitialSession | null }) {
  return (
    <SignInProvider initialSession={initialSession}>
      <SignedIn>
        <p>You are signed in</p>
        <SignOutButton />
      </SignedIn>
      <SignedOut>
        <SignInLink />
      </SignedOut>
    </SignInProvider>
  );
}
