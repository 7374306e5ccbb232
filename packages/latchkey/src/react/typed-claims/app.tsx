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

/** An app that declares its claims once. It is compiled by a test, and never run. */
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
  const me = useSession();
  // @ts-expect-error -- nobody is known to be here before the status is checked
  me.user.sub satisfies string;
  if (me.status !== "signed-in") return me.status === "signed-out" ? me.ended : null;
  // @ts-expect-error -- no such claim
  me.user.nickname satisfies string;
  return me.user.roles.join();
}

export function Other(): ReactNode {
  const me = useSession<{ sub: string; level: number }>();
  return me.status === "signed-in" ? me.user.level + 1 : null;
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

/** Without a type of its own, a page knows the declared claims. */
export const Inferred = requireSignIn(({ user }) => <p>{user.roles.join()}</p>);

const initialSession: InitialSession = { user: { sub: "1", roles: [] } };

// @ts-expect-error -- a claim is missing
export const incomplete: SessionState["user"] = { sub: "1" };

export const app: ReactNode = (
  <SignInProvider initialSession={initialSession}>
    <SignedIn>{(user) => user.roles.join()}</SignedIn>
    <Page title="Orders" />
    {/* @ts-expect-error -- the page asks for a title */}
    <Page />
  </SignInProvider>
);
