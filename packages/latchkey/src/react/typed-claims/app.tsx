import {
  requireSignIn,
  SignedIn,
  SignInProvider,
  useSession,
  useUser,
  type InitialSession,
  type SessionState,
} from "latchkey/react";
import type { ReactNode } from "react";

/** An app with declared claims. It never runs: `tsc` compiles it. */
interface MyClaims {
  readonly sub: string;
  readonly roles: string[];
}

declare module "latchkey/react" {
  interface Register {
    claims: MyClaims;
  }
}

export function Roles(): ReactNode {
  const session = useSession();
  // @ts-expect-error -- the user may be null before a check of the status
  session.user.sub satisfies string;
  if (session.status !== "signed-in") return session.status === "signed-out" ? session.ended : null;
  // @ts-expect-error -- no such claim
  session.user.nickname satisfies string;
  return session.user.roles.join();
}

export function Other(): ReactNode {
  const session = useSession<{ sub: string; level: number }>();
  return session.status === "signed-in" ? session.user.level + 1 : null;
}

export function Level(): ReactNode {
  const roles: string[] | undefined = useUser()?.roles;
  return `${roles?.length} ${useUser<{ level: number }>()?.level}`;
}

const Page = requireSignIn(({ user, title }: { user: MyClaims; title: string }) => (
  <h1>
    {title} {user.roles}
  </h1>
));

/** A page without its own type knows the declared claims. */
export const Inferred = requireSignIn(({ user }) => <p>{user.roles.join()}</p>);

const initialSession: InitialSession = { user: { sub: "1", roles: [] } };

// @ts-expect-error -- a claim is missing
export const incomplete: SessionState["user"] = { sub: "1" };

export const app: ReactNode = (
  <SignInProvider initialSession={initialSession}>
    <SignedIn>{(user) => user.roles.join()}</SignedIn>
    <Page title="Orders" />
    {/* @ts-expect-error -- the page requires a title */}
    <Page />
  </SignInProvider>
);
