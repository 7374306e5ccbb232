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

export * as compat from "./compat-app.tsx";

/** An app that declares its claims once. A test compiles it; it never runs. */
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
  // @ts-expect-error -- nobody may be signed in before the status is checked
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
